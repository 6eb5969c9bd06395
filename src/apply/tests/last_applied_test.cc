#include "apply/last_applied.h"

#include <gtest/gtest.h>

#include "json/text.h"
#include "krm/meta.h"
#include "krm/object.h"
#include "testing/cases.h"

namespace portico::apply {
namespace {

json::Value read(const std::string& yaml) {
  if (yaml.empty()) return {};
  auto object = krm::Object::parse(yaml);
  if (!object) throw std::runtime_error(object.error().text());
  return object->value();
}

class LastApplied : public ::testing::TestWithParam<portico::testing::Case> {};

/// Applies the sections apply, apply2, ... in turn to the previous result. A section `change2`, ...
/// replaces the whole stored object before that step, like a write by another client.
TEST_P(LastApplied, MatchesItsFile) {
  json::Value stored = read(GetParam()["stored"]);
  std::string out;
  for (int i = 1;; ++i) {
    const std::string number = i == 1 ? "" : std::to_string(i);
    if (!GetParam().has("apply" + number)) break;
    if (GetParam().has("change" + number)) {
      const json::Value record = stored["metadata"]["annotations"][kLastApplied];
      stored = read(GetParam()["change" + number])
                   .with_at({"metadata", "annotations", kLastApplied}, record);
    }
    const json::Value wanted = read(GetParam()["apply" + number]);
    stored = merge_applied(stored, wanted);
    EXPECT_EQ(merge_applied(stored, wanted), stored) << "applied again it changes nothing";
    const std::string_view record = krm::annotation_of(stored, kLastApplied);
    out += json::print_pretty(stored.without_at({"metadata", "annotations", kLastApplied}), 2) +
           "\nrecord: " + std::string(record);
  }
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(
    Data, LastApplied,
    ::testing::ValuesIn(portico::testing::cases("apply/tests/data/last_applied")),
    portico::testing::case_name);

}  // namespace
}  // namespace portico::apply
