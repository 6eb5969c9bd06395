#include "kubeapi/resource_type.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace portico::kubeapi {

namespace {

// "v1beta2" is {stage 1, major 1, minor 2}; other names are not Kubernetes versions.
struct Parsed {
  int stage = 0;  // 2: "v1"; 1: beta; 0: alpha
  int major = 0, minor = 0;
};

bool take_number(std::string_view& text, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || text.empty() || text.front() == '0' || text.front() == '-')
    return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

std::optional<Parsed> parse(std::string_view text) {
  Parsed out;
  if (!text.starts_with('v')) return std::nullopt;
  text.remove_prefix(1);
  if (!take_number(text, out.major)) return std::nullopt;
  out.stage = 2;
  if (text.empty()) return out;
  for (const auto& [word, stage] :
       {std::pair{std::string_view("beta"), 1}, std::pair{std::string_view("alpha"), 0}})
    if (text.starts_with(word)) {
      text.remove_prefix(word.size());
      out.stage = stage;
      if (take_number(text, out.minor) && text.empty()) return out;
      return std::nullopt;
    }
  return std::nullopt;
}

}  // namespace

bool version_before(std::string_view a, std::string_view b) {
  const auto first = parse(a), second = parse(b);
  if (!first || !second) return first.has_value() != second.has_value() ? first.has_value() : a < b;
  return std::tie(first->stage, first->major, first->minor) >
         std::tie(second->stage, second->major, second->minor);
}

const Version* ResourceType::version(std::string_view name) const {
  const auto at = std::find_if(versions.begin(), versions.end(),
                               [name](const Version& each) { return each.name == name; });
  return at == versions.end() ? nullptr : &*at;
}

bool ResourceType::can(std::string_view verb) const {
  return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

Catalog Catalog::with(Type type) const {
  Catalog out = *this;
  auto& group = out.groups_[type->names.group];
  group[type->names.plural] = std::move(type);
  return out;
}

Catalog Catalog::without(std::string_view group, std::string_view plural) const {
  Catalog out = *this;
  const auto at = out.groups_.find(group);
  if (at == out.groups_.end()) return out;
  if (const auto type = at->second.find(plural); type != at->second.end()) at->second.erase(type);
  if (at->second.empty()) out.groups_.erase(at);
  return out;
}

Catalog::Type Catalog::find(std::string_view group, std::string_view plural) const {
  const auto at = groups_.find(group);
  if (at == groups_.end()) return nullptr;
  const auto type = at->second.find(plural);
  return type == at->second.end() ? nullptr : type->second;
}

Catalog::Type Catalog::find(std::string_view group, std::string_view version,
                            std::string_view plural) const {
  Type type = find(group, plural);
  return type != nullptr && type->version(version) != nullptr ? type : nullptr;
}

Catalog::Type Catalog::find(const krm::GroupKind& kind) const {
  const auto at = groups_.find(kind.group);
  if (at == groups_.end()) return nullptr;
  for (const auto& [plural, type] : at->second)
    if (type->names.kind == kind.kind) return type;
  return nullptr;
}

std::vector<std::string> Catalog::groups() const {
  std::vector<std::string> out;
  for (const auto& [group, types] : groups_) out.push_back(group);
  return out;
}

std::vector<std::string> Catalog::versions(std::string_view group) const {
  std::set<std::string> seen;
  for (const Type& type : resources(group))
    for (const Version& version : type->versions) seen.insert(version.name);
  std::vector<std::string> out(seen.begin(), seen.end());
  std::sort(out.begin(), out.end(), version_before);
  return out;
}

std::vector<Catalog::Type> Catalog::resources(std::string_view group) const {
  std::vector<Type> out;
  if (const auto at = groups_.find(group); at != groups_.end())
    for (const auto& [plural, type] : at->second) out.push_back(type);
  return out;
}

}  // namespace portico::kubeapi
