#include "fnrun/cache.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <optional>
#include <string_view>

#include "base/hash.h"
#include "fnrun/exec.h"
#include "process/process.h"

namespace portico::fnrun {
namespace {

// Prefixes each text with its length, so that different sequences give different bytes.
class Digest {
 public:
  void add(std::string_view text) {
    bytes_ += fmt::format("{}:", text.size());
    bytes_ += text;
  }
  void add(const krm::Item& item) {
    add(item.object.text());
    add(fmt::format("{} {}", item.index, item.origin));
    add(item.file);
    add(item.package);
  }
  std::string take() const { return sha256_hex(bytes_); }

 private:
  std::string bytes_;
};

bool is_fixed(std::string_view image, std::string_view constraint) {
  if (!constraint.empty()) return false;
  if (image.find("@sha256:") != std::string_view::npos) return true;
  const std::string_view name = image.substr(image.rfind('/') + 1);
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view tag = name.substr(colon + 1);
  return tag != "latest" && tag != "unstable";
}

// The command and the state of the files that it names.
std::optional<std::string> identity_of_command(const std::string& command) {
  const auto words = split_command(command);
  if (!words) return std::nullopt;
  Digest digest;
  for (const std::string& word : *words) {
    digest.add(word);
    const std::string file = &word == words->data() ? process::find_program(word) : word;
    struct stat state {};
    if (stat(file.c_str(), &state) == 0)
      digest.add(fmt::format("{} {} {}.{}", state.st_ino, state.st_size, state.st_mtim.tv_sec,
                             state.st_mtim.tv_nsec));
  }
  return digest.take();
}

std::optional<std::string> identity_of(const render::FunctionRef& function) {
  if (!function.exec.empty()) return identity_of_command(function.exec);
  if (!is_fixed(function.image, function.tag)) return std::nullopt;
  return function.image;
}

std::string key_of(std::string_view where, const std::string& identity,
                   const krm::ResourceList& input) {
  Digest digest;
  digest.add(where);
  digest.add(identity);
  digest.add(input.function_config ? input.function_config->text() : "");
  for (const krm::Item& item : input.items) digest.add(item);
  return digest.take();
}

std::size_t size_of(const krm::ResourceList& list) {
  std::size_t size = 0;
  for (const krm::Item& item : list.items) size += sizeof item + item.object.text().size();
  for (const krm::FunctionResult& result : list.results)
    size += sizeof result + result.message.size();
  return size;
}

}  // namespace

std::optional<render::FunctionOutcome> ResultCache::find(const std::string& key) const {
  return kept_.with([&](Kept& kept) -> std::optional<render::FunctionOutcome> {
    const auto found = kept.by_key.find(key);
    ++(found == kept.by_key.end() ? kept.counts.misses : kept.counts.hits);
    if (found == kept.by_key.end()) return std::nullopt;
    kept.by_age.splice(kept.by_age.begin(), kept.by_age, found->second);
    return found->second->outcome;
  });
}

void ResultCache::keep(const std::string& key, const render::FunctionOutcome& outcome,
                       std::size_t bytes) const {
  kept_.with([&](Kept& kept) {
    if (kept.by_key.contains(key)) return;  // another thread added it first
    kept.by_age.push_front({key, outcome, bytes});
    kept.by_key.emplace(key, kept.by_age.begin());
    kept.counts.bytes += bytes;
    while (kept.counts.bytes > limit_) {
      kept.counts.bytes -= kept.by_age.back().bytes;
      kept.by_key.erase(kept.by_age.back().key);
      kept.by_age.pop_back();
    }
    kept.counts.entries = kept.by_age.size();
  });
}

Result<render::FunctionOutcome> ResultCache::run(const render::FunctionRunner& runner,
                                                 std::string_view where,
                                                 const render::FunctionRef& function,
                                                 krm::ResourceList input) const {
  const std::optional<std::string> identity = limit_ > 0 ? identity_of(function) : std::nullopt;
  if (!identity) return runner.run(function, std::move(input));
  const std::string key = key_of(where, *identity, input);
  if (auto known = find(key)) return *std::move(known);
  const std::size_t asked = size_of(input);
  PORTICO_TRY(render::FunctionOutcome outcome, runner.run(function, std::move(input)));
  const std::size_t bytes = asked + size_of(outcome.list) + outcome.stderr_text.size();
  if (outcome.exit_code == 0 && bytes <= limit_) keep(key, outcome, bytes);
  return outcome;
}

ResultCache::Counts ResultCache::counts() const {
  return kept_.with([](const Kept& kept) { return kept.counts; });
}

}  // namespace portico::fnrun
