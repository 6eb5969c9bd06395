#include "kinds/definitions.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "api/kinds.h"
#include "krm/object.h"
#include "resources/resources.h"
#include "schema/causes.h"
#include "schema/object.h"
#include "schema/schema.h"
#include "testing/cases.h"

namespace portico::kinds {
namespace {

namespace fs = std::filesystem;
using json::Value;
using schema::Node;

std::string text_of(const Value& definition) {
  return "# Written by the tests of src/kinds (PORTICO_ACCEPT=1): change the tables, not this "
         "file.\n" +
         krm::Object::from_value(definition).text();
}

/// deploy/crds contains what the program serves; PORTICO_ACCEPT=1 writes the files.
TEST(Definitions, AreTheFilesThatAreDeployed) {
  const bool accept = std::getenv("PORTICO_ACCEPT") != nullptr;
  for (const Value& definition : definitions()) {
    const fs::path file = testing::source_dir() / "deploy/crds" / file_name(definition);
    if (accept) {
      testing::write_file(file, text_of(definition));
    } else {
      EXPECT_EQ(testing::read_file(file), text_of(definition)) << file;
    }
  }
  if (accept) GTEST_SKIP() << "accepted";
}

TEST(Definitions, HaveStructuralSchemas) {
  for (const Value& definition : definitions())
    for (const Value& version : definition["spec"]["versions"].items()) {
      const auto schema = schema::read(version["schema"]["openAPIV3Schema"], "schema");
      EXPECT_TRUE(schema.ok()) << file_name(definition) << " " << schema.error().text();
    }
}

// Collects the fields below `schema` without a description for `kubectl explain`.
void silent(const Value& schema, const std::string& path, std::vector<std::string>& out) {
  for (const json::Member& member : schema["properties"].members()) {
    const std::string name(member.key.as_string());
    if (path.find('.') == std::string::npos &&
        (name == "apiVersion" || name == "kind" || name == "metadata"))
      continue;
    const std::string field = path + "." + name;
    if (member.value["description"].as_string().empty()) out.push_back(field);
    silent(member.value, field, out);
    silent(member.value["items"], field + "[]", out);
    silent(member.value["additionalProperties"], field + "{}", out);
  }
}

TEST(Definitions, SayWhatEachFieldIs) {
  std::vector<std::string> out;
  for (const resources::Resource& resource : resources::all())
    for (const std::string_view version : resource.versions)
      silent(schema_of(resource.kind.kind, version),
             resource.kind.kind + "/" + std::string(version), out);
  silent(schema_of("PackageRev", "v1alpha1"), "PackageRev/v1alpha1", out);
  EXPECT_EQ(out, std::vector<std::string>());
}

TEST(Definitions, AreThoseOfTheKindsThatCommandsKnow) {
  for (const resources::Resource& resource : resources::all()) {
    if (resource.kind.group != api::kConfigGroup) continue;
    for (const std::string_view version : resource.versions)
      EXPECT_FALSE(schema_of(resource.kind.kind, version).is_null()) << resource.kind.kind;
    for (const Value& definition : definitions()) {
      const Value& names = definition["spec"]["names"];
      if (names["kind"].as_string() != resource.kind.kind) continue;
      EXPECT_EQ(names["plural"].as_string(), resource.plural);
      EXPECT_EQ(names["singular"].as_string(), resource.singular);
      EXPECT_EQ(definition["spec"]["versions"][std::size_t{0}]["name"].as_string(),
                resource.versions.front());
      EXPECT_EQ(names["shortNames"].size(), resource.short_names.size());
    }
  }
}

/// Collects where `ours` rejects what `theirs` accepts.
void compare(const Node& theirs, const Node& ours, const std::string& path,
             std::vector<std::string>& narrower) {
  const auto narrow = [&](const std::string& what) { narrower.push_back(path + ": " + what); };
  if (ours.preserve_unknown_fields && ours.type == schema::Type::kAny) return;
  const bool number_or_text = ours.int_or_string && (theirs.type == schema::Type::kInteger ||
                                                     theirs.type == schema::Type::kString);
  if (ours.type != theirs.type && !number_or_text) narrow("another type");
  const auto among = [](const std::vector<std::string>& list, const std::string& one) {
    return std::find(list.begin(), list.end(), one) != list.end();
  };
  for (const std::string& field : ours.required)
    if (!among(theirs.required, field)) narrow("requires " + field);
  if (!ours.values.empty() && theirs.values.empty()) narrow("has an enum");
  if (!ours.pattern.empty() && ours.pattern != theirs.pattern) narrow("has a pattern");
  if (ours.format != theirs.format && !ours.format.empty() && ours.format != "int64")
    narrow("has a format");
  if (ours.min_length && !theirs.min_length) narrow("has a least length");
  if (ours.max_length && !theirs.max_length) narrow("has a greatest length");
  if (ours.rules.size() > theirs.rules.size()) narrow("has more rules");
  if (ours.list_type != theirs.list_type && ours.list_type != schema::ListType::kUnset &&
      ours.list_type != schema::ListType::kAtomic)
    narrow("has keys");
  if (theirs.default_value && ours.default_value != theirs.default_value)
    narrow("has another default");
  if (theirs.additional) {
    if (ours.additional) {
      compare(*theirs.additional, *ours.additional, path + "[]", narrower);
    } else if (!ours.preserve_unknown_fields) {
      narrow("is no map");
    }
  }
  if (theirs.items) {
    if (ours.items) {
      compare(*theirs.items, *ours.items, path + "[]", narrower);
    } else {
      narrow("is no list");
    }
  }
  for (const schema::Property& property : theirs.properties) {
    const std::string below = path + "." + property.name;
    if (const Node* own = ours.property(property.name)) {
      compare(*property.schema, *own, below, narrower);
    } else if (!ours.preserve_unknown_fields) {
      narrower.push_back(below + ": is unknown");
    }
  }
}

/// What Porch's definitions accept but its controllers reject: rejected here before it is stored.
constexpr std::string_view kRefusedEarlier[] = {
    ": requires spec",
    ".spec: requires upstream",
    ".spec: requires downstream",
    ".spec: requires targets",
    ".spec.upstream: requires repo",
    ".spec.upstream: requires package",
    ".spec.downstream: requires repo",
    ".spec.downstream: requires package",
    ".spec.adoptionPolicy: has an enum",
    ".spec.deletionPolicy: has an enum",
    ".spec.targets[].template.adoptionPolicy: has an enum",
    ".spec.targets[].template.deletionPolicy: has an enum",
};

TEST(Definitions, AcceptWhatPorchAccepts) {
  const fs::path folder = testing::shared_dir() / "conformance/kube-api/crds";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "no ../shared";
  int compared = 0;
  for (const Value& definition : definitions()) {
    const fs::path file = folder / file_name(definition);
    if (!fs::exists(file)) continue;
    const auto theirs = krm::Object::parse(testing::read_file(file));
    ASSERT_TRUE(theirs.ok()) << theirs.error().text();
    for (const Value& version : theirs->value()["spec"]["versions"].items()) {
      const auto porch = schema::parse(version["schema"]["openAPIV3Schema"]);
      const auto ours = schema::parse(
          schema_of(definition["spec"]["names"]["kind"].as_string(), version["name"].as_string()));
      ASSERT_TRUE(porch.ok() && ours.ok()) << file;
      std::vector<std::string> narrower;
      compare(**porch, **ours, "", narrower);
      std::string all;
      for (const std::string& one : narrower)
        if (std::find(std::begin(kRefusedEarlier), std::end(kRefusedEarlier), one) ==
            std::end(kRefusedEarlier))
          all += one + "\n";
      EXPECT_EQ(all, "") << file << " " << version["name"].as_string();
      ++compared;
    }
  }
  EXPECT_GT(compared, 2);
}

TEST(Definitions, FillInAndRefuse) {
  const auto repository = schema::parse(schema_of("Repository", "v1alpha1"));
  ASSERT_TRUE(repository.ok());
  const auto object = krm::Object::parse(R"(
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: blueprints, namespace: default}
spec: {git: {directory: /}, odd: 1}
)");
  const auto taken = schema::take_in(object->value(), *repository);
  ASSERT_TRUE(taken.ok());
  EXPECT_EQ(taken->unknown, std::vector<std::string>{"spec.odd"});
  EXPECT_EQ(taken->object["spec"]["git"]["branch"].as_string(), "main");
  schema::ObjectRules rules;
  rules.rules = schema::Rules::compile(*repository);
  const auto causes = schema::create_causes(taken->object, *repository, rules);
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(schema::line(causes.front()), "spec.git.repo: Required value");
}

}  // namespace
}  // namespace portico::kinds
