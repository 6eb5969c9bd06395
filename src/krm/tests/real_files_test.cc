// Properties of reading and editing that must hold for all real files: those of ../shared, and
// those in its git bundles.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "krm/object.h"
#include "testing/cases.h"
#include "testing/git_sandbox.h"

namespace portico::krm {
namespace {

namespace fs = std::filesystem;

bool is_yaml(const fs::path& file) {
  return file.extension() == ".yaml" || file.extension() == ".yml" || file.filename() == "Kptfile";
}

/// Adds all YAML files of all commits of a bundle.
void add_bundle(const fs::path& bundle, std::map<std::string, std::string>& texts) {
  const testing::TempDir folder(testing::memory_folder());
  const std::string bare = (folder.path() / "bare").string();
  testing::git(folder.path().string(), {"clone", "-q", "--mirror", bundle.string(), bare});
  std::map<std::string, std::string> names;
  std::istringstream listed(testing::git(bare, {"rev-list", "--objects", "--all"}));
  for (std::string line; std::getline(listed, line);)
    if (line.size() > 41 && is_yaml(line.substr(41))) names[line.substr(0, 40)] = line.substr(41);
  const std::string all = testing::git(bare, {"cat-file", "--batch", "--batch-all-objects"});
  for (std::size_t at = 0; at + 40 < all.size();) {
    const std::size_t head_end = all.find('\n', at);
    std::istringstream head(all.substr(at, head_end - at));
    std::string id, type;
    std::size_t size = 0;
    head >> id >> type >> size;
    if (const auto name = names.find(id); type == "blob" && name != names.end())
      texts.emplace(all.substr(head_end + 1, size),
                    bundle.filename().string() + ":" + name->second);
    at = head_end + 1 + size + 1;
  }
}

/// Distinct texts -> one place where each was found.
const std::map<std::string, std::string>& real_texts() {
  static const std::map<std::string, std::string> texts = [] {
    std::map<std::string, std::string> out;
    const fs::path shared = testing::shared_dir();
    if (shared.empty()) return out;
    for (const auto& entry : fs::recursive_directory_iterator(shared)) {
      if (!entry.is_regular_file()) continue;
      if (is_yaml(entry.path())) out.emplace(testing::read_file(entry.path()), entry.path());
      if (entry.path().extension() == ".bundle" && entry.file_size() > 1000)
        add_bundle(entry.path(), out);
    }
    return out;
  }();
  return texts;
}

void for_each_text(
    const std::function<void(const std::string& text, const std::string& place)>& run) {
  if (real_texts().empty()) GTEST_SKIP() << "../shared is not there";
  EXPECT_GT(real_texts().size(), 1000u);
  for (const auto& [text, place] : real_texts()) run(text, place);
}

/// Every fourth object, to keep the test fast.
void for_each_object(
    const std::function<void(const Object& object, const std::string& place)>& run) {
  std::size_t count = 0;
  for_each_text([&](const std::string& text, const std::string& place) {
    if (++count % 4 != 0) return;
    const auto objects = Object::parse_file(text);
    if (!objects) return;
    for (const Object& object : *objects) run(object, place);
  });
}

/// A node of the value that meets a condition, chosen deterministically: the larger the value, the
/// further in. nullopt if there is none.
std::optional<Path> some_path(const json::Value& root,
                              const std::function<bool(const json::Value&, const Path&)>& meets) {
  std::vector<Path> found;
  Path path;
  const std::function<void(const json::Value&)> walk = [&](const json::Value& value) {
    if (meets(value, path)) found.push_back(path);
    for (const json::Member& member : value.members()) {
      path.emplace_back(std::string(member.name()));
      walk(member.value);
      path.pop_back();
    }
    if (!value.is_array()) return;
    for (std::size_t i = 0; i < value.size(); ++i) {
      path.emplace_back(i);
      walk(value[i]);
      path.pop_back();
    }
  };
  walk(root);
  if (found.empty()) return std::nullopt;
  return found[(found.size() * 7 + 3) % found.size()];
}

/// Texts that no reverse edit restores: aliases, which are expanded when their target is edited;
/// JSON with unquoted keys, which get quotes; and a literal text at the end of the file without a
/// line break, which gets one.
bool is_special(const Object& object) {
  const std::string& text = object.text();
  return text.find('*') != std::string::npos || text.starts_with('{') ||
         text.find("\n{") != std::string::npos ||
         (!text.ends_with('\n') && text.find('|') != std::string::npos);
}

/// The first line in which two texts differ, for a readable message.
std::string first_difference(const std::string& want, const std::string& have) {
  std::istringstream a(want), b(have);
  for (int number = 1;; ++number) {
    std::string left, right;
    const bool more_left = bool(std::getline(a, left)), more_right = bool(std::getline(b, right));
    if (!more_left && !more_right) return want == have ? "" : "the break at the end";
    if (left != right || more_left != more_right)
      return "line " + std::to_string(number) + ": \"" + right + "\" instead of \"" + left + "\"";
  }
}

TEST(RealFiles, ComeBackByteForByte) {
  std::size_t refused = 0;
  for_each_text([&](const std::string& text, const std::string& place) {
    const auto objects = Object::parse_file(text);
    if (!objects) {
      ++refused;
    } else if (!objects->empty()) {
      EXPECT_EQ(first_difference(text, Object::join_file(*objects)), "") << place;
    }
  });
  // Some files of test suites are invalid on purpose, and repository histories contain mistakes.
  EXPECT_LT(refused * 100, real_texts().size());
}

TEST(RealFiles, AValueThatIsWrittenAfreshIsReadAsItWas) {
  for_each_object([](const Object& before, const std::string& place) {
    const Object fresh = Object::from_value(before.value());
    const auto again = Object::parse(fresh.text());
    ASSERT_TRUE(again) << place << again.error().text();
    EXPECT_EQ(again->value(), before.value()) << place;
  });
}

TEST(RealFiles, AValueThatIsSetAndCopiedBackLeavesNoTrace) {
  for_each_object([](const Object& before, const std::string& place) {
    const auto path = some_path(before.value(), [](const json::Value& value, const Path& at) {
      return !at.empty() && !value.is_null() && !value.is_array();
    });
    if (!path || is_special(before)) return;
    Object after = before;
    ASSERT_TRUE(after.set(*path, "something else")) << place << " " << path_text(*path);
    EXPECT_NE(after.text(), before.text());
    Edit back;
    back.path = back.from_path = *path;
    back.from = &before;
    ASSERT_TRUE(after.edit({back})) << place << " " << path_text(*path);
    EXPECT_EQ(first_difference(before.text(), after.text()), "")
        << place << " " << path_text(*path);
  });
}

TEST(RealFiles, AMemberThatIsAddedAndRemovedLeavesNoTrace) {
  for_each_object([](const Object& before, const std::string& place) {
    auto path = some_path(before.value(), [](const json::Value& value, const Path&) {
      return value.is_object() && !value.empty();
    });
    if (!path || is_special(before)) return;
    path->emplace_back("a-new-one");
    Object after = before;
    const json::Value value = json::Value::object().with("a", "b");
    ASSERT_TRUE(after.set(*path, value)) << place << " " << path_text(*path);
    ASSERT_TRUE(after.remove(*path)) << place << " " << path_text(*path);
    EXPECT_EQ(first_difference(before.text(), after.text()), "")
        << place << " " << path_text(*path);
  });
}

TEST(RealFiles, AnItemThatIsInsertedAndRemovedLeavesNoTrace) {
  for_each_object([](const Object& before, const std::string& place) {
    auto path = some_path(before.value(), [](const json::Value& value, const Path&) {
      return value.is_array() && !value.empty();
    });
    if (!path || is_special(before)) return;
    for (const std::size_t index : {std::size_t{0}, std::size_t{1}}) {
      Edit insert;
      insert.verb = Edit::Verb::kInsert;
      insert.path = *path;
      insert.path.emplace_back(index);
      insert.value = json::Value::object().with("a", "b");
      Object after = before;
      ASSERT_TRUE(after.edit({insert})) << place << " " << path_text(insert.path);
      ASSERT_TRUE(after.remove(insert.path)) << place << " " << path_text(insert.path);
      EXPECT_EQ(first_difference(before.text(), after.text()), "")
          << place << " " << path_text(insert.path);
    }
  });
}

TEST(RealFiles, AMemberThatIsRenamedTwiceLeavesNoTrace) {
  for_each_object([](const Object& before, const std::string& place) {
    const auto path = some_path(before.value(), [](const json::Value&, const Path& at) {
      return !at.empty() && at.back().index() == 0;
    });
    if (!path || is_special(before)) return;
    Path renamed = *path;
    renamed.back() = "a-new-one";
    Object after = before;
    ASSERT_TRUE(after.rename(*path, "a-new-one")) << place << " " << path_text(*path);
    ASSERT_TRUE(after.rename(renamed, std::get<std::string>(path->back())))
        << place << " " << path_text(*path);
    EXPECT_EQ(first_difference(before.text(), after.text()), "")
        << place << " " << path_text(*path);
  });
}

TEST(RealFiles, ACommentThatComesAndGoesLeavesNoTrace) {
  for_each_object([](const Object& before, const std::string& place) {
    const auto path = some_path(before.value(), [&](const json::Value& value, const Path& at) {
      return !at.empty() && !value.is_object() && !value.is_array() &&
             before.line_comment(at).empty();
    });
    if (!path || is_special(before)) return;
    Object after = before;
    if (!after.set_line_comment(*path, "new")) return;  // no room on the line of a flow collection
    if (after.text().size() != before.text().size() + 6) return;  // the line ended in blanks
    EXPECT_EQ(after.line_comment(*path), "# new") << place << " " << path_text(*path);
    ASSERT_TRUE(after.set_line_comment(*path, ""));
    EXPECT_EQ(first_difference(before.text(), after.text()), "")
        << place << " " << path_text(*path);
  });
}

/// The lines without indentation, dashes and quotes, and without blank lines, as a multiset.
std::multiset<std::string> bare_lines(const std::string& text) {
  std::multiset<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::erase_if(line, [](char c) { return c == '"' || c == '\'' || c == '\\'; });
    const std::size_t first = line.find_first_not_of(" \t\r-");
    if (first == std::string::npos) continue;
    out.insert(line.substr(first, line.find_last_not_of(" \t\r") + 1 - first));
  }
  return out;
}

TEST(RealFiles, ArrangedTheyHaveTheSameLines) {
  Arrangement by_name;
  by_name.before = [](const Path&, std::string_view a, std::string_view b) { return a < b; };
  by_name.quotes = [](const Path&) { return Quotes::kNeeded; };
  std::size_t refused = 0, arranged = 0;
  for_each_text([&](const std::string& text, const std::string& place) {
    auto objects = Object::parse_file(text);
    if (!objects) return;
    for (Object& object : *objects) {
      const Object before = object;
      if (!object.arrange(by_name)) {
        ++refused;
        EXPECT_NE(before.text().find_first_of("*<"), std::string::npos) << place;
        continue;
      }
      ++arranged;
      const bool flow = before.text().find('{') != std::string::npos;
      if (!flow) {
        EXPECT_EQ(bare_lines(object.text()), bare_lines(before.text())) << place;
      }
      EXPECT_EQ(object.value(), before.value()) << place;
      const std::string once = object.text();
      EXPECT_TRUE(object.arrange(by_name)) << place;
      EXPECT_EQ(object.text(), once) << place;
    }
  });
  EXPECT_LT(refused * 100, arranged + 100);
}

TEST(RealFiles, RelaidTheyHaveTheSameValue) {
  std::size_t lists = 0, wide = 0;
  for_each_text([&](const std::string& text, const std::string& place) {
    const auto objects = Object::parse_file(text);
    if (!objects) return;
    for (const Object& object : *objects) {
      const Object compact = object.relaid(Lists::kCompact);
      EXPECT_EQ(compact.value(), object.value()) << place;
      lists += object.has_wide_lists() ? 1 : 0;
      wide += compact.has_wide_lists() ? 1 : 0;
    }
  });
  EXPECT_LT(wide * 100, lists + 100) << "hardly any stay as they are";
}

}  // namespace
}  // namespace portico::krm
