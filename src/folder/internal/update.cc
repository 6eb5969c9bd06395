#include "folder/internal/update.h"

#include <sys/file.h>

#include <cerrno>

#include "base/hash.h"

namespace portico::folder {
namespace {

const std::string kPlan = std::string(kStaging) + "/plan";

std::string staged(std::size_t index) { return fmt::format("{}/{}", kStaging, index); }
std::string replaced(std::size_t index) { return fmt::format("{}/old-{}", kStaging, index); }

struct Planned {
  std::string path;
  std::string hash;  // of the staged content; "" for a removal
};

// Serializes the plan: path and hash of each entry, each followed by a NUL, then an empty pair. A
// plan without this end is invalid.
std::string plan_text(const std::vector<Planned>& plan) {
  std::string out;
  for (const Planned& one : plan) out += one.path + '\0' + one.hash + '\0';
  return out + std::string(2, '\0');
}

std::vector<Planned> parse_plan(std::string_view text) {
  std::vector<Planned> out;
  const auto next = [&text]() -> std::optional<std::string> {
    const std::size_t end = text.find('\0');
    if (end == std::string_view::npos) return std::nullopt;
    std::string one(text.substr(0, end));
    text.remove_prefix(end + 1);
    return one;
  };
  while (true) {
    const auto path = next();
    const auto hash = path ? next() : std::nullopt;
    if (!hash) return {};
    if (path->empty()) return text.empty() ? out : std::vector<Planned>();
    out.push_back({*path, *hash});
  }
}

// The plan lists removals first: a folder can become a file, and a link a folder.
Result<Done> move_in(const DirHandle& root, const std::vector<Planned>& plan, std::size_t index) {
  const Planned& one = plan[index];
  const auto there = root.look(one.path);
  if (there && !S_ISDIR(there->st_mode)) PORTICO_DO(root.rename(one.path, replaced(index)));
  if (one.hash.empty()) {
    root.remove_empty_above(one.path);
    return Done{};
  }
  PORTICO_DO(root.make_folders_above(one.path));
  return root.rename(staged(index), one.path);
}

// False if something could not be restored: then the staged files must stay.
bool undo(const DirHandle& root, const std::vector<Planned>& plan, std::size_t done) {
  bool all = true;
  for (std::size_t index = done + 1; index-- > 0;) {
    const Planned& one = plan[index];
    if (root.look(replaced(index))) {
      // Overwrites the new file: on failure, a file still exists.
      all = root.make_folders_above(one.path).ok() && root.rename(replaced(index), one.path).ok() &&
            all;
    } else if (!one.hash.empty() && !root.look(staged(index))) {
      static_cast<void>(root.remove(one.path));
      root.remove_empty_above(one.path);
    }
  }
  return all;
}

// True if every planned file is staged, or already in its place, with the planned content.
bool is_whole(const DirHandle& root, const std::vector<Planned>& plan) {
  for (std::size_t index = 0; index < plan.size(); ++index) {
    if (plan[index].hash.empty()) continue;
    auto file = root.read(staged(index), std::size_t{1} << 31);
    if (!file) file = root.read(plan[index].path, std::size_t{1} << 31);
    if (!file || sha256_hex(file->text()) != plan[index].hash) return false;
  }
  return true;
}

// The process that made the change died: completes it if the plan is complete, otherwise undoes it.
Result<Done> finish(const DirHandle& root) {
  const auto text = root.read(kPlan, std::size_t{1} << 28);
  const std::vector<Planned> plan = text ? parse_plan(text->text()) : std::vector<Planned>();
  if (is_whole(root, plan)) {
    for (std::size_t index = 0; index < plan.size(); ++index) {
      const Planned& one = plan[index];
      if (!one.hash.empty() && !root.look(staged(index))) continue;  // already in place
      // The removal was already done: a file there now is a new one and stays.
      if (one.hash.empty() && root.look(replaced(index))) {
        root.remove_empty_above(one.path);
        continue;
      }
      PORTICO_DO(move_in(root, plan, index), "finishing an interrupted change");
    }
  } else if (!undo(root, plan, plan.size() - 1)) {
    return unavailable(
        "\"{}\" has an interrupted change that cannot be rolled back; the original files are in "
        "\"{}\"",
        root.name(), kStaging);
  }
  root.remove_all(kStaging);
  return Done{};
}

}  // namespace

bool is_staged(const DirHandle& root) { return root.look(kStaging).has_value(); }

Result<Done> take(const DirHandle& root) {
  if (::flock(root.fd(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK)
      return unavailable("\"{}\" is being changed by another process: try again", root.name());
    return file_error("lock", root.name(), errno);
  }
  return is_staged(root) ? finish(root) : Result<Done>(Done{});
}

Result<Done> carry_out(const DirHandle& root, const Update& update) {
  std::vector<Planned> plan;
  for (const std::string& path : update.removals) plan.push_back({path, ""});
  for (const auto& [path, file] : update.writes) plan.push_back({path, sha256_hex(file->text())});
  const auto stage = [&]() -> Result<Done> {
    PORTICO_DO(root.make_folder(kStaging));
    for (std::size_t index = update.removals.size(); index < plan.size(); ++index) {
      const krm::File& file = *update.writes.at(plan[index].path);
      std::optional<mode_t> permissions;
      if (const auto there = root.look(plan[index].path); there && S_ISREG(there->st_mode)) {
        permissions = there->st_mode & 07777 & ~mode_t{0111};
        if (file.mode == krm::FileMode::kExecutable) *permissions |= 0111;
      }
      PORTICO_DO(root.write(staged(index), file, permissions));
    }
    const std::string unready = kPlan + ".new";
    PORTICO_DO(root.write(unready, krm::File(plan_text(plan))));
    return root.rename(unready, kPlan);
  };
  Result<Done> done = stage();
  for (std::size_t index = 0; done && index < plan.size(); ++index) {
    done = move_in(root, plan, index);
    if (!done && !undo(root, plan, index))
      return unavailable(
          "{}; the change of \"{}\" is incomplete: the next command there finishes it",
          done.error().text(), root.name());
  }
  root.remove_all(kStaging);
  return done;
}

}  // namespace portico::folder
