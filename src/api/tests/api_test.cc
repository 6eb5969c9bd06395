#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "api/function_config.h"
#include "api/kinds.h"
#include "api/old_package_variant_set.h"
#include "api/package_resources.h"
#include "api/package_revision.h"
#include "api/package_variant.h"
#include "api/package_variant_set.h"
#include "api/repository.h"
#include "json/text.h"
#include "krm/object.h"
#include "testing/cases.h"

namespace portico::api {
namespace {

json::Value from_yaml(const std::string& text) {
  auto object = krm::Object::parse(text);
  if (!object) throw std::runtime_error(object.error().text());
  return object->value();
}

/// The result of decoding: the error, or the warnings and the object encoded again.
struct Report {
  std::string error;
  std::vector<std::string> warnings;
  std::vector<Cause> problems, unknown;
  json::Value again;

  std::string text() const {
    if (!error.empty()) return "error: " + error + "\n";
    std::string out;
    for (const std::string& one : warnings) out += "warning: " + one + "\n";
    for (const Cause& one : unknown) out += one.message + "\n";
    for (const Cause& one : problems) {
      EXPECT_FALSE(one.field.empty()) << one.message;
      EXPECT_TRUE(one.reason.starts_with("FieldValue")) << one.message;
      out += "invalid: " + one.message + "\n";
    }
    return out + json::print_pretty(again, 2) + "\n";
  }
};

std::vector<Cause> problems(const PackageVariant& one) { return validate(one.spec); }
std::vector<Cause> problems(const PackageVariantSet& one) { return validate(one.spec); }
std::vector<Cause> problems(const PackageRevision& one) { return validate(one.spec); }
std::vector<Cause> problems(const Repository& one) { return validate(one); }
std::vector<Cause> problems(const FunctionConfig& one) { return validate(one); }
template <class T>
std::vector<Cause> problems(const T&) {
  return {};
}

template <class T>
Report report(const json::Value& value) {
  auto decoded = decode_reporting<T>(value);
  if (!decoded) return {decoded.error().text(), {}, {}, {}, {}};
  Report out{"", decoded->warnings, problems(decoded->value), decoded->unknown,
             encode(decoded->value)};
  // The encoded object reads back the same, without warnings.
  const auto again = decode_reporting<T>(out.again);
  EXPECT_TRUE(again.ok() && again->value == decoded->value && again->warnings.empty());
  for (const Cause& one : again->unknown)  // metadata keeps unknown fields
    EXPECT_TRUE(one.field.starts_with("metadata.")) << one.message;
  return out;
}

Report report_kind(const json::Value& value) {
  const std::map<std::string, std::function<Report(const json::Value&)>> kinds = {
      {"Repository", report<Repository>},
      {"FunctionConfig", report<FunctionConfig>},
      {"PackageVariant", report<PackageVariant>},
      {"PackageVariantSet", report<PackageVariantSet>},
      {"PackageRevision", report<PackageRevision>},
      {"PackageRevisionResources", report<PackageRevisionResources>},
      {"PorchPackage", report<PorchPackage>}};
  const auto kind = kinds.find(std::string(value["kind"].as_string()));
  if (kind == kinds.end()) return {"no kind of ours", {}, {}, {}, {}};
  return kind->second(value);
}

class Decode : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(Decode, MatchesItsFile) {
  GetParam().expect("want", report_kind(from_yaml(GetParam()["object"])).text());
}

INSTANTIATE_TEST_SUITE_P(Data, Decode,
                         ::testing::ValuesIn(portico::testing::cases("api/tests/data/decode")),
                         portico::testing::case_name);

class OldSet : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(OldSet, BecomesTheNewOneOfItsFile) {
  const json::Value old = from_yaml(GetParam()["object"]);
  const auto converted = convert_old_set(old);
  Report shown;
  if (converted) {
    shown = {"", converted->warnings, {}, {}, converted->object};
    // The result is a valid v1alpha2 object that round-trips, and reading the old object gives the
    // same.
    EXPECT_TRUE(is_old_set(old) && !is_old_set(converted->object));
    const auto decoded = decode<PackageVariantSet>(converted->object);
    ASSERT_TRUE(decoded.ok());
    const json::Value& spec = converted->object["spec"];
    if (!spec.empty()) {  // an empty one is left out
      EXPECT_EQ(encode(*decoded)["spec"], spec);
    }
    const auto read = decode<PackageVariantSet>(old);
    EXPECT_TRUE(read.ok() && *read == *decoded);
    const auto down = old_form_of_set(converted->object);
    ASSERT_TRUE(down.ok()) << down.error().text();
    const auto again = convert_old_set(*down);
    ASSERT_TRUE(again.ok()) << again.error().text();
    EXPECT_EQ(again->object, converted->object);
  } else {
    shown.error = converted.error().text();
    EXPECT_EQ(converted.error().code, Code::kInvalid);
  }
  GetParam().expect("want", shown.text());
}

class OldForm : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(OldForm, IsThatOfItsFile) {
  const json::Value set = from_yaml(GetParam()["object"]);
  Report shown;
  if (const auto old = in_version(set, kConfigV1Alpha1)) {
    shown.again = *old;
    const auto up = in_version(*old, kConfigV1Alpha2);
    ASSERT_TRUE(up.ok()) << up.error().text();
    EXPECT_EQ(*in_version(*up, kConfigV1Alpha1), *old);
  } else {
    shown.error = old.error().text();
    EXPECT_EQ(old.error().code, Code::kInvalid);
  }
  GetParam().expect("want", shown.text());
}

INSTANTIATE_TEST_SUITE_P(Data, OldForm,
                         ::testing::ValuesIn(portico::testing::cases("api/tests/data/old_form")),
                         portico::testing::case_name);

TEST(OldSets, DoNotGrowWithoutBound) {
  std::vector<json::Value> targets;
  for (int i = 0; i < 1000; ++i)
    targets.push_back(json::Value::object({}).with_at({"package", "repo"}, fmt::format("r{}", i)));
  const json::Value old = json::Value::object({{"apiVersion", json::Value(kConfigV1Alpha1)},
                                               {"kind", json::Value(kVariantSetKind)}})
                              .with_at({"spec", "targets"}, json::Value::array(targets));
  const auto with_note = [&](std::size_t size) {
    return convert_old_set(old.with_at({"spec", "annotations", "note"}, std::string(size, 'x')));
  };
  EXPECT_TRUE(with_note(1 << 10).ok());
  const auto refused = with_note(1 << 20);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::kInvalid);
  EXPECT_EQ(refused.error().where, std::vector<std::string>{"spec.targets[63]"});
}

INSTANTIATE_TEST_SUITE_P(Data, OldSet,
                         ::testing::ValuesIn(portico::testing::cases("api/tests/data/old_set")),
                         portico::testing::case_name);

/// The YAML blocks of a page, whose lines may have printed line numbers.
std::vector<std::string> yaml_blocks(const std::string& text) {
  const bool numbered = text.find("\n     2  ") != std::string::npos;
  std::vector<std::string> blocks;
  std::string block;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    if (numbered) line.erase(0, 8);  // "   188  "
    if (line.starts_with("```")) {
      if (inside) blocks.push_back(block);
      inside = !inside && line.starts_with("```yaml");
      block.clear();
    } else if (inside) {
      block += line + "\n";
    }
  }
  return blocks;
}

TEST(Samples, OfTheSeedsAreAccepted) {
  const auto shared = portico::testing::shared_dir();
  if (shared.empty()) GTEST_SKIP() << "../shared is not there";
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(shared / "seeds")) {
    for (const std::string& block : yaml_blocks(portico::testing::read_file(entry.path()))) {
      const auto objects = krm::Object::parse_file(block);
      if (!objects) continue;  // some blocks have "..." for omitted parts
      for (const krm::Object& object : *objects) {
        json::Value value = object.value();
        // A spec without a kind is that of a set.
        if (!value.contains("kind") && value["spec"].contains("targets"))
          value = value.with("kind", "PackageVariantSet");
        const Report one = report_kind(value);
        if (one.error == "no kind of ours") continue;
        ++found;
        EXPECT_EQ(one.error, "") << entry.path() << "\n" << block;
        EXPECT_TRUE(one.problems.empty()) << one.problems.front().message << "\n" << block;
        for (const Cause& unknown : one.unknown) ADD_FAILURE() << unknown.message << "\n" << block;
      }
    }
  }
  EXPECT_GT(found, 10);
}

TEST(Samples, OfNephioAreAccepted) {
  const auto shared = portico::testing::shared_dir();
  if (shared.empty()) GTEST_SKIP() << "../shared is not there";
  int found = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(shared / "fixtures/nephio/manifests")) {
    if (entry.path().extension() != ".yaml") continue;
    const auto objects = krm::Object::parse_file(portico::testing::read_file(entry.path()));
    ASSERT_TRUE(objects.ok()) << entry.path();
    for (const krm::Object& object : *objects) {
      const Report one = report_kind(object.value());
      if (one.error == "no kind of ours") continue;
      ++found;
      EXPECT_EQ(one.error, "") << entry.path();
      EXPECT_TRUE(one.warnings.empty()) << entry.path() << " " << one.warnings.front();
      EXPECT_TRUE(one.unknown.empty()) << entry.path() << " " << one.unknown.front().message;
      EXPECT_TRUE(one.problems.empty()) << entry.path() << " " << one.problems.front().message;
    }
  }
  EXPECT_GT(found, 50);
}

TEST(Conditions, ChangeTheirTimeWithTheirStatusOnly) {
  const TimePoint first{std::chrono::seconds(1000)}, later{std::chrono::seconds(2000)};
  auto conditions = with_condition({}, {"Ready", false, "Error", "x"}, 1, first);
  EXPECT_EQ(conditions[0].last_transition_time, "1970-01-01T00:16:40Z");
  conditions = with_condition(conditions, {"Ready", false, "Waiting", "y"}, 2, later);
  EXPECT_EQ(conditions[0].last_transition_time, "1970-01-01T00:16:40Z");
  EXPECT_EQ(conditions[0].reason, "Waiting");
  EXPECT_EQ(conditions[0].observed_generation, 2);
  conditions = with_condition(conditions, {"Ready", true, "NoErrors", ""}, 2, later);
  EXPECT_EQ(conditions[0].last_transition_time, "1970-01-01T00:33:20Z");
  EXPECT_EQ(conditions, with_condition(conditions, {"Ready", true, "NoErrors", ""}, 2, first));
  conditions = with_condition(
      conditions, {"Ready", false, "Error", "broken: " + std::string(1'000'000, 'x')}, 2, later);
  EXPECT_LE(conditions[0].message.size(), 32'768u) << "what a function says has no limit";
  EXPECT_EQ(conditions[0].message.substr(0, 9), "broken: x");
}

TEST(Retries, AreWrittenAtPowersOfTwo) {
  const auto minute = [](int number) {
    return TimePoint(std::chrono::hours(24 * 365 * 50) + std::chrono::minutes(number));
  };
  constexpr auto kWait = std::chrono::seconds(30);
  std::optional<Retry> retry;
  std::vector<std::int64_t> written;
  for (int i = 1; i <= 40; ++i) {
    const auto before = std::exchange(retry, count_failure(retry, i, kWait, minute(i)));
    if (before == retry) continue;
    written.push_back(i);
    EXPECT_EQ(*retry, (Retry{i, rfc3339(minute(1)), rfc3339(minute(i) + kWait)}));
  }
  EXPECT_EQ(written, (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32}));
  // A count that starts again does not continue the previous sequence.
  EXPECT_EQ(count_failure(retry, 1, kWait, minute(50)),
            (Retry{1, rfc3339(minute(50)), rfc3339(minute(50) + kWait)}));
}

TEST(Repositories, KeepWhatIsImmutable) {
  const Repository before = *decode<Repository>(from_yaml(
      "metadata: {name: a}\nspec: {type: git, git: {repo: /r, branch: main, directory: d}}\n"));
  EXPECT_TRUE(validate(before, &before).empty());
  Repository after = before;
  after.spec.git->repo = "/other";
  after.spec.git->author = "someone";
  const std::vector<Cause> found = validate(after, &before);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].field, "spec.git.repo");
  EXPECT_EQ(found[0].message,
            "spec.git.repo is immutable: cannot change \"/r\" to \"/other\"; unregister the "
            "repository and register it again under its name");
}

TEST(Lifecycles, AreReadAsTheyAreWritten) {
  for (const char* word : {"Draft", "Proposed", "Published", "DeletionProposed"}) {
    const auto lifecycle = krm::parse_lifecycle(word);
    ASSERT_TRUE(lifecycle.has_value()) << word;
    EXPECT_STREQ(name(*lifecycle), word);
    EXPECT_EQ(krm::is_published(*lifecycle), std::string_view(word) == "Published" ||
                                                 std::string_view(word) == "DeletionProposed");
  }
  for (const char* word : {"", "draft", "Draft ", "Deleted"})
    EXPECT_FALSE(krm::parse_lifecycle(word).has_value()) << word;
}

TEST(Waits, AreReadAsTheyAreWritten) {
  using std::chrono::milliseconds;
  const auto read = [](std::string_view text) {
    const auto wait = parse_wait(text);
    return wait ? wait->count() : -1;
  };
  EXPECT_EQ(read("10m"), 600'000);
  EXPECT_EQ(read("1h30m"), 5'400'000);
  EXPECT_EQ(read("1.5h"), 5'400'000);
  EXPECT_EQ(read("250ms"), 250);
  EXPECT_EQ(read("0"), 0);
  EXPECT_EQ(read("0s"), 0);
  for (const char* wrong : {"", "10", "m", "-5m", "5m ", "5 m", "1d", "inf h", "nanh", "1e9h",
                            "9999999999999h", "5m-1s", "+5m"})
    EXPECT_EQ(read(wrong), -1) << wrong;
}

TEST(Revisions, AreReadyWhenEveryGateIsTrue) {
  PackageRevision revision;
  revision.spec.readiness_gates = {{"a"}, {"b"}};
  EXPECT_EQ(unmet_gate(revision), "a");
  revision.status.conditions = {{"a", "True", 0, "", "", ""}, {"b", "False", 0, "", "", ""}};
  EXPECT_EQ(unmet_gate(revision), "b");
  revision.status.conditions[1].status = "True";
  EXPECT_EQ(unmet_gate(revision), std::nullopt);
}

}  // namespace
}  // namespace portico::api
