// Random edit scripts on random objects: an edit is either rejected as invalid, or yields the
// requested value in a text that parses; it never fails with an internal error.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "krm/object.h"

namespace portico {
namespace {

/// The bytes of the script, followed by zeros.
class Script {
 public:
  Script(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::size_t pick(std::size_t choices) { return choices == 0 ? 0 : next() % choices; }
  bool done() const { return at_ >= size_; }

 private:
  std::uint8_t next() { return at_ < size_ ? data_[at_++] : std::uint8_t{0}; }
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

std::string_view some_text(Script& script) {
  static const char* const kTexts[] = {"x",  "",     "two\nlines\n", "yes",     " lead", "a: b",
                                       "1",  "- a",  "t\tab",        "line \n", "#",     "\n\n",
                                       "é😀", "it's", "a\n\n\nb",     "  in\nx", "~",     "a\r\nb"};
  return kTexts[script.pick(std::size(kTexts))];
}

json::Value some_value(Script& script, int depth = 0) {
  switch (script.pick(depth > 2 ? 5 : 8)) {
    case 0:
      return static_cast<int>(script.pick(50));
    case 1:
      return nullptr;
    case 2:
      return script.pick(2) == 0 ? json::Value(true) : json::Value(1.5);
    case 5:
    case 6: {
      json::Value map = json::Value::object();
      for (std::size_t n = script.pick(4); n > 0; --n)
        map = map.with(std::string(some_text(script)), some_value(script, depth + 1));
      return map;
    }
    case 7: {
      std::vector<json::Value> items;
      for (std::size_t n = script.pick(4); n > 0; --n)
        items.push_back(some_value(script, depth + 1));
      return json::Value::array(std::move(items));
    }
    default:
      return some_text(script);
  }
}

krm::Path some_path(Script& script, const json::Value& value) {
  krm::Path path;
  const json::Value* at = &value;
  while (script.pick(5) != 0) {
    if (at->is_object() && !at->empty() && script.pick(6) != 0) {
      const json::Member& member = at->members()[script.pick(at->size())];
      path.emplace_back(std::string(member.name()));
      at = &member.value;
    } else if (at->is_array()) {
      const std::size_t index = script.pick(at->size() + 1);
      path.emplace_back(index);
      if (index == at->size()) break;
      at = &(*at)[index];
    } else {
      path.emplace_back(script.pick(2) == 0 ? std::string("new") : std::string("a"));
      break;
    }
  }
  return path;
}

void check(bool fine, const char* what, const krm::Object& before, const std::string& detail) {
  if (fine) return;
  std::fprintf(stderr, "%s: %s\n--- text ---\n%s---\n", what, detail.c_str(),
               before.text().c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t length = std::min<std::size_t>(data[0], size - 1);
  Script script(data + 1, length);
  const std::string text(reinterpret_cast<const char*>(data) + 1 + length, size - 1 - length);
  auto objects = krm::Object::parse_file(text);
  if (!objects || objects->empty()) return 0;
  if (krm::Object::join_file(*objects) != text) std::abort();
  krm::Object& object = objects->front();
  const krm::Object other = objects->back();

  for (int round = 0; round < 8 && !script.done(); ++round) {
    std::vector<krm::Edit> edits;
    std::string detail;
    for (std::size_t n = 1 + script.pick(3); n > 0; --n) {
      krm::Edit edit;
      const std::size_t verb = script.pick(7);
      edit.verb = verb == 0   ? krm::Edit::Verb::kRemove
                  : verb == 1 ? krm::Edit::Verb::kInsert
                  : verb == 6 ? krm::Edit::Verb::kRename
                              : krm::Edit::Verb::kSet;
      edit.path = some_path(script, object.value());
      detail += std::to_string(verb) + " " + krm::path_text(edit.path);
      if (verb == 6) {
        edit.value = some_text(script);
      } else if (verb == 2) {
        edit.from = &other;
        edit.from_path = some_path(script, other.value());
        detail += " from " + krm::path_text(edit.from_path);
      } else {
        edit.value = some_value(script);
      }
      detail += "; ";
      edits.push_back(std::move(edit));
    }
    krm::Object changed = object;
    const auto done = changed.edit(edits);
    check(done || done.error().code != Code::kInternal, "edit", object,
          detail + (done ? "" : done.error().text()));
    if (!done) {
      check(changed == object, "a refused edit changed something", object, detail);
      continue;
    }
    // Repeating the edit changes nothing, and the reverse edit restores the old value.
    krm::Object again = changed;
    check(again.update(changed.value()) && again == changed, "same", changed, detail);
    krm::Object back = changed;
    const auto undone = back.update(object.value());
    check(bool(undone), "undo", changed,
          undone ? "" : undone.error().text() + "; wanted:\n" + object.text());
    object = std::move(changed);
  }
  return 0;
}

}  // namespace portico
