#include <gtest/gtest.h>

#include "json/text.h"
#include "krm/object.h"
#include "testing/cases.h"

namespace portico::krm {
namespace {

using testing::Case;

/// "spec.containers[0].image"; a quoted name may contain any character.
Path parse_path(std::string_view text) {
  Path path;
  while (!text.empty()) {
    if (text.front() == '.') {
      text.remove_prefix(1);
    } else if (text.front() == '[') {
      path.emplace_back(static_cast<std::size_t>(std::stoul(std::string(text.substr(1)))));
      text.remove_prefix(text.find(']') + 1);
    } else if (text.front() == '"') {
      const std::size_t end = text.find('"', 1);
      path.emplace_back(std::string(text.substr(1, end - 1)));
      text.remove_prefix(end + 1);
    } else {
      const std::size_t end = std::min(text.find_first_of(".["), text.size());
      path.emplace_back(std::string(text.substr(0, end)));
      text.remove_prefix(end);
    }
  }
  return path;
}

std::string word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  std::string out(line.substr(0, end));
  line.remove_prefix(std::min(end + 1, line.size()));
  return out;
}

json::Value value(std::string_view text) {
  auto parsed = json::parse(text);
  if (!parsed) throw std::runtime_error(std::string(text) + ": " + parsed.error().text());
  return *parsed;
}

/// Runs an edit script with the lines "set PATH JSON", "remove PATH", "insert PATH JSON", "copy
/// PATH FROM-PATH", "insert-copy PATH FROM-PATH", "rename PATH NAME", "prepend PATH JSON", "comment
/// PATH TEXT", "update JSON". Lines that begin with '+' join the preceding line's call of edit().
Result<Done> run(Object& object, const std::optional<Object>& other,
                 const std::vector<std::string>& lines) {
  std::vector<Edit> edits;
  for (std::string_view line : lines) {
    if (line.starts_with('+')) line.remove_prefix(line.find_first_not_of("+ "));
    const std::string verb = word(line);
    if (verb == "update") return object.update(value(line));
    const std::string path_word = word(line);
    const Path path = path_word == "/" ? Path() : parse_path(path_word);
    if (verb == "prepend") {
      const json::Value items = value(line);
      return object.prepend(path, {items.items().begin(), items.items().end()}, {"name", "image"});
    }
    if (verb == "comment") return object.set_line_comment(path, line);
    Edit edit;
    edit.path = path;
    if (verb == "remove") edit.verb = Edit::Verb::kRemove;
    if (verb == "rename") edit.verb = Edit::Verb::kRename;
    if (verb.starts_with("insert")) edit.verb = Edit::Verb::kInsert;
    if (verb.ends_with("copy")) {
      edit.from = &*other;
      edit.from_path = parse_path(line);
    } else if (verb == "rename") {
      edit.value = line;
    } else if (verb != "remove") {
      edit.value = value(line);
    }
    edits.push_back(std::move(edit));
  }
  return object.edit(edits);
}

std::string run_script(const std::string& text, const std::string& from,
                       const std::string& script) {
  auto object = Object::parse(text);
  if (!object) return "no object: " + object.error().text() + "\n";
  std::optional<Object> other;
  if (!from.empty()) other = *Object::parse(from);
  std::vector<std::vector<std::string>> calls;
  for (std::size_t at = 0; at < script.size();) {
    const std::size_t end = std::min(script.find('\n', at), script.size());
    const std::string line = script.substr(at, end - at);
    at = end + 1;
    if (line.empty()) continue;
    if (!line.starts_with('+') || calls.empty()) calls.emplace_back();
    calls.back().push_back(line);
  }
  for (const auto& call : calls) {
    const auto done = run(*object, other, call);
    if (!done) return "error: " + done.error().text() + "\n";
  }
  return object->text();
}

/// In data files "<CR>" stands for a carriage return, and "<END>" for the end of the text, without
/// a final line break.
std::string with_breaks(std::string text) {
  for (std::size_t at; (at = text.find("<CR>")) != std::string::npos;) text.replace(at, 4, "\r");
  if (const std::size_t end = text.find("<END>\n"); end != std::string::npos) text.resize(end);
  return text;
}

std::string shown(std::string text) {
  for (std::size_t at = 0; (at = text.find('\r', at)) != std::string::npos; at += 4)
    text.replace(at, 1, "<CR>");
  if (!text.ends_with('\n')) text += "<END>\n";
  return text;
}

class EditCases : public ::testing::TestWithParam<Case> {};

TEST_P(EditCases, GivesTheTextOfItsFile) {
  const Case& one = GetParam();
  for (int i = 1; one.has("edit " + std::to_string(i)) || (i == 1 && one.has("edit")); ++i) {
    const std::string number = one.has("edit") ? "" : " " + std::to_string(i);
    const std::string& before = one.has("before" + number) ? one["before" + number] : one["before"];
    one.expect("after" + number,
               shown(run_script(with_breaks(before), one["from"], one["edit" + number])));
    if (one.has("edit")) break;
  }
}
INSTANTIATE_TEST_SUITE_P(Data, EditCases,
                         ::testing::ValuesIn(testing::cases("krm/tests/data/edit")),
                         testing::case_name);

/// Many edits of a long text at once; anything slower than linear time would not finish.
TEST(LongTexts, ManyEditsAtOnce) {
  constexpr std::size_t kItems = 50'000;
  std::string text = "items:\n", want = "items:\n";
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < kItems; ++i) {
    const std::string number = std::to_string(i);
    text += "- name: item-" + number + " # " + number + "\n  value: 1\n";
    Edit edit;
    edit.path = {"items", i};
    if (i % 3 == 0) {
      edit.verb = Edit::Verb::kRemove;
    } else if (i % 3 == 1) {
      edit.path.emplace_back("value");
      edit.value = 2;
      want += "- name: item-" + number + " # " + number + "\n  value: 2\n";
    } else {
      edit.path.emplace_back("new");
      edit.value = "x";
      want += "- name: item-" + number + " # " + number + "\n  value: 1\n  new: x\n";
    }
    edits.push_back(std::move(edit));
  }
  Object object = *Object::parse(text);
  const auto done = object.edit(edits);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_TRUE(object.text() == want);
}

TEST(LongTexts, ManyMembersAtOnce) {
  constexpr int kMembers = 20'000;
  std::string text, want;
  std::vector<json::Member> members;
  for (int i = 0; i < kMembers; ++i) {
    const std::string name = "key-" + std::to_string(i);
    text += name + ": 1\n";
    if (i % 2 == 0) continue;
    want += name + ": 2\n";
    members.push_back({name, 2});
  }
  Object object = *Object::parse(text);
  const auto done = object.update(json::Value::object(std::move(members)));
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_TRUE(object.text() == want);
}

}  // namespace
}  // namespace portico::krm
