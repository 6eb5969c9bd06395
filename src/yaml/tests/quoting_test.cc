#include <gtest/gtest.h>

#include <sstream>

#include "testing/cases.h"
#include "yaml/document.h"
#include "yaml/print.h"
#include "yaml/resolve.h"
#include "yaml/tests/text.h"

namespace portico::yaml {
namespace {

using testing::Case;

/// Reads a scalar back as an item of a list in a map, as a flow item, or as a key.
std::string read_back(const std::string& source, const ScalarPlace& place) {
  const std::string text = place.flow  ? "[" + source + "]\n"
                           : place.key ? source + ": x\n"
                                       : "a:\n- " + source + "\n";
  const auto document = Document::parse(text, {.dialect = Dialect::kStrict});
  if (!document) return "error: " + document.error().text();
  NodeId id = 0;
  while ((*document)[id].kind != Kind::kScalar) ++id;
  if (!place.flow && !place.key) ++id, ++id;
  const auto type = resolve(*document, id);
  if (!type || (type->type != Type::kString)) return "no string: " + text;
  return document->scalar(id);
}

class QuotingCases : public ::testing::TestWithParam<Case> {};

/// "texts" holds strings, one per line, with "\n" for a break. Each section "STYLE" or "STYLE
/// PLACE" shows how they are written. In every form they must read back unchanged.
TEST_P(QuotingCases, WritesWhatIsReadBack) {
  const std::pair<const char*, Style> styles[] = {{"plain", Style::kPlain},
                                                  {"single", Style::kSingle},
                                                  {"double", Style::kDouble},
                                                  {"literal", Style::kLiteral},
                                                  {"folded", Style::kFolded}};
  const std::pair<const char*, ScalarPlace> places[] = {
      {"", {.column = 2, .parent = 0}}, {" flow", {.flow = true}}, {" key", {.key = true}}};
  for (const auto& [style_name, style] : styles) {
    for (const auto& [place_name, place] : places) {
      std::string out;
      std::istringstream texts(GetParam()["texts"]);
      for (std::string line; std::getline(texts, line);) {
        const std::string text = from_one_line(line);
        const std::string source = scalar_text(text, style, place, Layout());
        out += on_one_line(source) + "\n";
        EXPECT_EQ(read_back(source, place), text) << style_name << place_name << ": " << source;
      }
      const std::string section = std::string(style_name) + place_name;
      if (GetParam().has(section)) GetParam().expect(section, out);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Data, QuotingCases,
                         ::testing::ValuesIn(testing::cases("yaml/tests/data/quoting")),
                         testing::case_name);

}  // namespace
}  // namespace portico::yaml
