#include "admission/admission.h"

#include <gtest/gtest.h>

#include "json/text.h"
#include "krm/object.h"
#include "testing/cases.h"

namespace portico::admission {
namespace {

class Admit : public ::testing::TestWithParam<portico::testing::Case> {};

std::string admitted(const json::Value& object) {
  const auto answer = admit(object);
  if (!answer) return "refused: " + answer.error().text() + "\n";
  std::string out;
  for (const std::string& warning : answer->warnings) out += "warning: " + warning + "\n";
  if (answer->object == object) return out + "as it is\n";
  return out + json::print_pretty(answer->object, 2) + "\n";
}

TEST_P(Admit, MatchesItsFile) {
  const auto objects = krm::Object::parse_file(GetParam()["objects"]);
  ASSERT_TRUE(objects.ok()) << objects.error().text();
  std::string out;
  for (const krm::Object& object : *objects) out += admitted(object.value());
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Admit,
                         ::testing::ValuesIn(portico::testing::cases("admission/tests/data/admit")),
                         portico::testing::case_name);

}  // namespace
}  // namespace portico::admission
