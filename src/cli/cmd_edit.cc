#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "apply/last_applied.h"
#include "base/fd.h"
#include "cli/changing.h"
#include "cli/object_commands.h"
#include "cli/printer.h"
#include "engine/manifests.h"
#include "engine/stop.h"
#include "json/patch.h"
#include "krm/object.h"
#include "process/on_terminal.h"
#include "resources/resources.h"

namespace portico::cli {

namespace fs = std::filesystem;
using json::Value;

namespace {

// Selects the editor by kubectl's rule; a shell splits its words.
std::string editor() {
  for (const char* variable : {"PORTICO_EDITOR", "KUBE_EDITOR", "EDITOR", "VISUAL"})
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0') return value;
  return "vi";
}

// Hides what users do not edit: the status, and bookkeeping of the store and of apply.
Value shown_of(const Value& object) {
  return object.without("status")
      .without_at({"metadata", "managedFields"})
      .without_at({"metadata", "annotations", apply::kLastApplied});
}

std::string without_breaks(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string with_head(const std::string& objects, const std::string& error) {
  std::string head =
      "# Edit the objects below, then save and exit the editor. An empty or unchanged file aborts "
      "the edit.\n";
  if (!error.empty()) head += "#\n# Not saved: " + without_breaks(error) + "\n";
  return head + "#\n" + objects;
}

bool is_comment(std::string_view line) { return line.starts_with('#'); }

// Removes the comment lines at the beginning.
std::string without_head(std::string_view text) {
  while (is_comment(text)) {
    const std::size_t end = text.find('\n');
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return std::string(text);
}

// Only the owner can read the file: the edited object may be a Secret.
class EditedFile {
 public:
  static Result<EditedFile> make() {
    std::error_code error;
    const fs::path folder = fs::temp_directory_path(error);
    if (error) return unavailable("no temporary folder: {}; set TMPDIR", error.message());
    std::string path = (folder / "portico-edit-XXXXXX.yaml").string();
    const int made = ::mkstemps(path.data(), 5);
    if (made < 0) return file_error("create a file in", folder.string(), errno);
    ::close(made);
    return EditedFile(std::move(path));
  }
  EditedFile(EditedFile&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  EditedFile& operator=(EditedFile&&) = delete;
  ~EditedFile() {
    std::error_code ignored;
    if (!path_.empty() && !kept_) fs::remove(path_, ignored);
  }

  Result<std::string> edit(const std::string& text, const Stop& stop) {
    std::ofstream file(path_, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file) return unavailable("cannot write \"{}\"", path_);
    const std::string with = editor();
    const engine::ShutdownGuard unfinished;
    const auto ended =
        process::run_on_terminal({"/bin/sh", "-c", with + " \"$1\"", "sh", path_}, stop);
    if (!ended && stop())
      return unavailable("{}; nothing was saved; a copy of your changes is in {}",
                         ended.error().text(), keep());
    if (!ended) return ended.error();
    if (*ended != 0) return invalid("editor \"{}\" exited with status {}", with, *ended);
    return engine::read_text(path_);
  }
  const std::string& keep() {
    kept_ = true;
    return path_;
  }

 private:
  explicit EditedFile(std::string path) : path_(std::move(path)) {}
  std::string path_;
  bool kept_ = false;
};

struct Change {
  Value before, after;
};

// Parses the edited text: each document is a change to one of the objects.
Result<std::vector<Change>> changes_of(const std::string& text, const std::vector<Value>& objects,
                                       Terminal& terminal) {
  PORTICO_TRY(const auto documents, krm::Object::parse_file(text));
  std::vector<Change> out;
  for (const krm::Object& document : documents) {
    const krm::ObjectKey key = krm::object_key(document.value());
    const auto stored = std::find_if(objects.begin(), objects.end(), [&](const Value& object) {
      return krm::object_key(object) == key;
    });
    if (stored == objects.end())
      return invalid(
          "\"{}\" is not one of the edited objects; kind, namespace and name are immutable",
          key.text());
    const Value wanted = json::with_merge_patch(
        *stored, json::merge_patch(shown_of(*stored), document.value().without("status")));
    if (wanted == *stored) continue;
    PORTICO_TRY(Value admitted, admitted_change(*stored, wanted, terminal),
                resources::name_line(*stored));
    out.push_back({*stored, std::move(admitted)});
  }
  return out;
}

// Applies the change to the stored object. If another writer has changed that meanwhile, applies
// the differences between the texts before and after editing to the new version.
Result<Done> store_one(registry::Registry& registry, const Change& change, Terminal& terminal) {
  constexpr int kTries = 5;
  const std::string name = resources::name_line(change.before);
  Value wanted = change.after;
  for (int tried = 1;; ++tried) {
    const auto stored = registry.commit({{registry::Verb::kUpdate, wanted}});
    if (stored) break;
    if (stored.error().code != Code::kConflict || tried == kTries) return stored.error();
    terminal.note(
        fmt::format("{} was modified by another client; retrying on the latest version\n", name));
    PORTICO_TRY(const Value now, registry.get(krm::object_key(change.before)));
    const Value merged = json::with_merge_patch(
        now, json::merge_patch(shown_of(change.before), shown_of(change.after)));
    PORTICO_TRY(wanted, admitted_change(now, merged, terminal));
  }
  terminal.print("{} edited\n", name);
  return Done{};
}

// Changes that could not be stored, and why; each change is stored separately.
struct Left {
  std::vector<Change> changes;
  std::string error;
};

Left store(registry::Registry& registry, const std::vector<Change>& changes, Terminal& terminal) {
  Left out;
  for (const Change& change : changes) {
    const auto stored = store_one(registry, change, terminal);
    if (stored) continue;
    const std::string text = stored.error().text();
    out.error += (out.error.empty() ? "" : "; ") + text;
    out.changes.push_back(change);
  }
  return out;
}

std::string text_of(const std::vector<Value>& objects) {
  std::string out;
  for (const Value& object : objects)
    out += (out.empty() ? "" : "---\n") + to_yaml(shown_of(object));
  return out;
}

}  // namespace

Result<Exit> run_edit(const EditOptions& options, Context& context) {
  std::vector<Value> objects;
  {
    // Do not hold the write lock while the user edits.
    PORTICO_TRY(const auto reader, engine::Engine::read(context));
    PORTICO_TRY(objects,
                named_objects(reader->registry(), options.type, options.names, context.globals.ns));
  }
  PORTICO_TRY(EditedFile file, EditedFile::make());
  std::string error, last = text_of(objects);
  for (;;) {
    PORTICO_TRY(const std::string written, file.edit(with_head(last, error), context.stop()));
    const std::string edited = without_head(written);
    // Unchanged since the start, or since it was refused: the user has given up.
    if (edited.find_first_not_of(" \t\r\n") == std::string::npos || edited == last) {
      if (!error.empty())
        return invalid("{}; not saved; a copy of your changes is in {}", error, file.keep());
      context.terminal.print("edit cancelled, no changes made\n");
      return 0;
    }
    last = edited;
    const auto changes = changes_of(edited, objects, context.terminal);
    if (!changes) {
      error = changes.error().text();
      continue;
    }
    if (changes->empty()) {
      context.terminal.print("edit skipped, nothing changed\n");
      return 0;
    }
    auto writer = engine::Engine::open(context);
    if (!writer) return std::move(writer).error().in("a copy of your changes is in " + file.keep());
    Left left = store((*writer)->registry(), *changes, context.terminal);
    if (left.changes.empty()) {
      return reconcile_if_asked(**writer, options.wait, keys_of(objects), 0, context);
    }
    // The rest is edited again, and its file is kept if the user gives up.
    error = std::move(left.error);
    std::vector<Value> wanted;
    objects.clear();
    for (Change& each : left.changes) {
      objects.push_back(std::move(each.before));
      wanted.push_back(std::move(each.after));
    }
    last = text_of(wanted);
  }
}

}  // namespace portico::cli
