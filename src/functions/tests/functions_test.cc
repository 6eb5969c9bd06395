#include <fmt/format.h>
#include <gtest/gtest.h>

#include "functions/catalog.h"
#include "krm/object.h"
#include "semver/constraint.h"
#include "testing/cases.h"

namespace portico::functions {
namespace {

using testing::Case;

krm::ResourceList list_of(const Case& one) {
  krm::ResourceList list;
  auto objects = krm::Object::parse_file(one["input"]);
  EXPECT_TRUE(objects) << objects.error().text();
  for (std::size_t i = 0; objects && i < objects->size(); ++i) {
    const int index = static_cast<int>(i);
    const auto path = (*objects)[i].annotation("test/path");
    list.items.push_back({(*objects)[i], path.value_or("file.yaml"), index, "", index});
  }
  if (one.has("config")) {
    auto config = krm::Object::parse(one["config"]);
    EXPECT_TRUE(config) << config.error().text();
    if (config) list.function_config = *std::move(config);
  }
  return list;
}

/// The documents, and the locations of new or moved ones.
std::string text_of(const krm::ResourceList& list, const krm::ResourceList& input) {
  std::vector<krm::Object> objects;
  for (const krm::Item& item : list.items) objects.push_back(item.object);
  std::string text = krm::Object::join_file(objects);
  for (const krm::Item& item : list.items) {
    if (item.origin < 0) {
      text += fmt::format("# new, in \"{}\"\n", item.file);
    } else if (item.file != input.items.at(static_cast<std::size_t>(item.origin)).file) {
      text += fmt::format("# {} is now in \"{}\"\n", item.object.name(), item.file);
    }
  }
  return text;
}

std::string results_of(const Outcome& outcome) {
  std::string text;
  for (const krm::FunctionResult& result : outcome.list.results) {
    text += fmt::format("[{}] {}", result.severity, result.message);
    if (!result.field_path.empty())
      text += fmt::format(" ({}[{}] {})", result.file, result.index, result.field_path);
    text += "\n";
  }
  if (outcome.exit_code == 0 && !outcome.stderr_text.empty())
    text += fmt::format("stderr: {}\n", outcome.stderr_text);
  if (outcome.exit_code != 0) text += fmt::format("exit code {}\n", outcome.exit_code);
  return text;
}

/// Every folder of tests/data is one function, named by its image.
class CatalogFunction : public ::testing::TestWithParam<Case> {};

TEST_P(CatalogFunction, MatchesItsFile) {
  const std::string image = GetParam().has("image")
                                ? GetParam()["image"]
                                : GetParam().file().parent_path().filename().string();
  const Entry* entry = find(image.substr(0, image.find('\n')));
  ASSERT_NE(entry, nullptr) << image;
  const krm::ResourceList input = list_of(GetParam());
  const Outcome outcome = entry->run(input);
  GetParam().expect("results", results_of(outcome));
  if (outcome.exit_code != 0) return;
  GetParam().expect("output", text_of(outcome.list, input));

  // A second run changes nothing.
  krm::ResourceList again = outcome.list;
  again.results.clear();
  const Outcome second = entry->run(again);
  EXPECT_EQ(second.exit_code, 0);
  EXPECT_EQ(text_of(second.list, input), text_of(outcome.list, input)) << "run twice";
}

std::vector<Case> all_cases() {
  std::vector<Case> all;
  std::vector<std::string_view> names;
  for (const Entry& entry : catalog())
    if (names.empty() || names.back() != entry.name) names.push_back(entry.name);
  for (const std::string_view name : names)
    for (Case& one : testing::cases(fmt::format("functions/tests/data/{}", name)))
      all.push_back(std::move(one));
  return all;
}

std::string test_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name =
      info.param.file().parent_path().filename().string() + "_" + info.param.file().stem().string();
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Data, CatalogFunction, ::testing::ValuesIn(all_cases()), test_name);

TEST(Catalog, IsSortedAndFoundByTheLastPathElement) {
  for (std::size_t i = 1; i < catalog().size(); ++i)
    EXPECT_LE(catalog()[i - 1].name, catalog()[i].name);
  for (const char* image :
       {"set-labels", "set-labels:v0.2", "ghcr.io/kptdev/krm-functions-catalog/set-labels:latest",
        "localhost:5000/set-labels", "gcr.io/kpt-fn/set-labels@sha256:0123"}) {
    const Entry* entry = find(image);
    ASSERT_NE(entry, nullptr) << image;
    EXPECT_EQ(entry->name, "set-labels");
  }
  for (const char* image : {"", "set-label", "set-labels/other", "docker.io/nephio/nad-fn:latest"})
    EXPECT_EQ(find(image), nullptr) << image;
}

TEST(Catalog, ChoosesTheRowByVersion) {
  const auto row = [](std::string_view image, std::string_view tag = "") {
    return std::string(find(image, tag)->versions);
  };
  const std::string old = "<=0.4.1", newest = ">0.4.1";
  for (const char* tag :
       {"v0.4.1", "0.4.1", "v0.4.0-rc.1", "v0.3", "0.3.x", "~0.3.1", "^0.3", "<0.4.1",
        ">=0.2, <0.4", "0.1 - 0.3", "0.1.0 || 0.3.0", "!=0.4.0 <=0.4.1"})
    EXPECT_EQ(row("set-namespace:v1", tag), old) << tag;
  for (const char* tag : {"v0.4.2", "v0.4", "~0.4.0", "^0.4.0", ">0.4", "*", "0.3 || 0.5", "v1.0.0",
                          "latest", "unstable", "not a version", "~", "1.2.3.4"})
    EXPECT_EQ(row("set-namespace:v0.4.1", tag), newest) << tag;
  EXPECT_EQ(row("set-namespace:v0.4.1"), old);
  EXPECT_EQ(row("set-namespace:v0.4.1@sha256:0123"), old);
  EXPECT_EQ(row("set-namespace@sha256:0123"), newest);
  EXPECT_EQ(row("set-namespace"), newest);
  EXPECT_EQ(row("apply-replacements:v0.1.1"), "<=0.1.1");
  // No version at all satisfies this one.
  EXPECT_EQ(find("set-namespace", ">0.5 <0.4"), nullptr);
}

TEST(Catalog, HasEveryVersionOfAFunctionInOneRow) {
  for (const Entry& entry : catalog()) {
    const auto range = [](const Entry& one) {
      return semver::Constraint::parse(one.versions, semver::Prereleases::kAll);
    };
    const auto versions = range(entry);
    ASSERT_TRUE(versions) << entry.name;
    for (const Entry& other : catalog()) {
      if (other.name != entry.name || &other == &entry) continue;
      EXPECT_FALSE(versions->meets(*range(other))) << entry.name;
    }
    for (const char* version : {"0.0.1", "0.1.1", "0.4.1", "0.4.2-rc.1", "7.0.0"})
      EXPECT_NE(find(entry.name, version), nullptr) << entry.name << version;
  }
}

TEST(Catalog, NamesTheVersionThatAConstraintChose) {
  const auto chosen = [](const char* image, const char* tag) {
    return chosen_image(*find(image, tag), image, tag);
  };
  EXPECT_EQ(chosen("r.io/set-namespace:~0.4.0 <0.4.2", ""), "r.io/set-namespace:v0.4.1");
  EXPECT_EQ(chosen("r.io/set-namespace:~0.4", ""), "r.io/set-namespace:v0.4.2");
  EXPECT_EQ(chosen("r.io/set-namespace:v0.1", ">=0.2 <0.4"), "r.io/set-namespace:v0.2.0");
  EXPECT_EQ(chosen("r.io/set-namespace:<0.4", ""), "r.io/set-namespace:<0.4");
  EXPECT_EQ(chosen("r.io/starlark:>=0.4 <0.6", ""), "r.io/starlark:v0.4.0");
  for (const char* image :
       {"set-labels", "set-labels:latest", "set-labels:v0.2", "set-labels:v0.2.1",
        "set-labels@sha256:12", "r.io:5000/set-labels:v0.2.1"})
    EXPECT_EQ(chosen(image, ""), image);
}

TEST(Catalog, IsTheTableOfTheGuide) {
  std::string rows;
  for (const Entry& entry : catalog())
    rows += fmt::format("| `{}` | `{}` | {} |\n", entry.name, entry.versions, entry.follows);
  const std::string guide = testing::read_file(testing::source_dir() / "docs/guide/functions.md");
  std::string found;
  for (std::size_t at = guide.find("\n| `"); at != std::string::npos;
       at = guide.find("\n| `", at)) {
    std::size_t end = ++at;
    for (int bars = 0; bars < 4; ++bars) end = guide.find('|', end) + 1;
    found += guide.substr(at, end - at) + "\n";
  }
  EXPECT_EQ(found, rows);
}

TEST(Catalog, TakesImageNamesApart) {
  const ImageName name = image_name("localhost:5000/a/b:v1@sha256:00");
  EXPECT_EQ(name.repository, "localhost:5000/a/b");
  EXPECT_EQ(name.base, "b");
  EXPECT_EQ(name.tag, "v1");
  EXPECT_EQ(name.digest, "sha256:00");
}

}  // namespace
}  // namespace portico::functions
