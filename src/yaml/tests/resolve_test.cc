#include "yaml/resolve.h"

#include <gtest/gtest.h>

#include <sstream>

#include "testing/cases.h"

namespace portico::yaml {
namespace {

using testing::Case;

std::string shown(const Resolved& resolved) {
  std::ostringstream out;
  switch (resolved.type) {
    case Type::kNull:
      return "null";
    case Type::kBool:
      return resolved.boolean ? "bool true" : "bool false";
    case Type::kInt:
      return "int " + std::to_string(resolved.integer);
    case Type::kUint:
      return "uint " + std::to_string(resolved.unsigned_integer);
    case Type::kFloat:
      out.precision(17);
      out << "float " << resolved.number;
      return out.str();
    case Type::kString:
      return "string";
    case Type::kMerge:
      return "merge";
  }
  return "";
}

class ResolveCases : public ::testing::TestWithParam<Case> {};

/// "values" holds map values, one per line; "types" holds the type of each.
TEST_P(ResolveCases, KnowsTheTypesOfItsFile) {
  std::istringstream values(GetParam()["values"]);
  std::string out;
  for (std::string line; std::getline(values, line);) {
    const auto document = Document::parse("a: " + line + "\n");
    ASSERT_TRUE(document) << line;
    const auto resolved = resolve(*document, 2);
    out += line + (line.empty() ? "" : " ") + "-> " +
           (resolved ? shown(*resolved) : "error: " + resolved.error().text()) + "\n";
  }
  GetParam().expect("types", out);
}
INSTANTIATE_TEST_SUITE_P(Data, ResolveCases,
                         ::testing::ValuesIn(testing::cases("yaml/tests/data/resolve")),
                         testing::case_name);

}  // namespace
}  // namespace portico::yaml
