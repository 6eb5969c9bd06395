// Which byte sequences are requests and which are refused: fed all at once, and byte by byte.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "http/escape.h"
#include "http/headers.h"
#include "http/internal/request_parser.h"
#include "testing/cases.h"

namespace portico::http::internal {
namespace {

using State = RequestParser::State;

// Lines of a case end with CR LF; "\n", "\r", "\t" and "\0" stand for those bytes, and a backslash
// at the end of a line joins it with the next one.
std::string bytes_of(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      out += "\r\n";
    } else if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
    } else {
      switch (text[++i]) {
        case 'n':
          out += '\n';
          break;
        case 'r':
          out += '\r';
          break;
        case 't':
          out += '\t';
          break;
        case '0':
          out += '\0';
          break;
        case '\n':
          break;
        default:
          out += text[i];
      }
    }
  }
  return out;
}

std::string shown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte >= 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

std::string read_all(const std::string& bytes, std::size_t step, const ParserLimits& limits,
                     std::size_t most_body) {
  std::string out, input;
  auto parser = std::make_unique<RequestParser>(limits);
  std::size_t fed = 0;
  while (fed < bytes.size() || !input.empty()) {
    State state = State::kMore;
    if (!input.empty()) {
      const auto result = parser->feed(input);
      input.erase(0, result.used);
      state = result.state;
    }
    if (state == State::kHead) {
      Request head = parser->take();
      parser->give_back(std::move(head));
      state = parser->begin_body(most_body);
      if (state == State::kMore) continue;
    }
    if (state == State::kBad) return out + fmt::format("{} {}\n", parser->status(), parser->why());
    if (state == State::kDone) {
      const bool keeps_alive = parser->keeps_alive();
      const Request request = parser->take();
      out += fmt::format("{} {}{}\n", request.method, shown(request.target),
                         keeps_alive ? "" : " (last)");
      for (const HeaderField& field : request.headers)
        out += fmt::format("  {}: {}\n", field.name, shown(field.value));
      if (!request.body.empty()) out += fmt::format("  [{}]\n", shown(request.body));
      parser = std::make_unique<RequestParser>(limits);
      continue;
    }
    if (fed == bytes.size()) break;
    input += bytes.substr(fed, step);
    fed = std::min(fed + step, bytes.size());
  }
  if (!input.empty() || parser->began()) out += "(waits for more)\n";
  return out;
}

class Requests : public ::testing::TestWithParam<testing::Case> {};
TEST_P(Requests, Case) {
  const ParserLimits limits{.header_bytes = 400, .header_count = 10, .target_bytes = 100};
  const std::string bytes = bytes_of(GetParam()["bytes"]);
  const std::string at_once = read_all(bytes, bytes.size() + 1, limits, 20);
  GetParam().expect("read", at_once);
  for (const std::size_t step : {1, 2, 7})
    EXPECT_EQ(read_all(bytes, step, limits, 20), at_once) << "in pieces of " << step;
}
INSTANTIATE_TEST_SUITE_P(Data, Requests,
                         ::testing::ValuesIn(testing::cases("http/tests/data/requests")),
                         testing::case_name);

TEST(Escape, DecodesPathsPartByPart) {
  EXPECT_EQ(*path_segments("/apis/a%2Fb//c"), (std::vector<std::string>{"apis", "a/b", "", "c"}));
  EXPECT_EQ(*path_segments("/"), std::vector<std::string>{""});
  EXPECT_EQ(*path_segments("/%C3%A4%ff"), std::vector<std::string>{"\xC3\xA4\xFF"});
  for (const char* bad : {"", "a", "/%", "/%4", "/%zz", "/%00", "/a/%0"})
    EXPECT_FALSE(path_segments(bad)) << bad;
}

TEST(Escape, DecodesQueries) {
  const auto query = Query::parse("labelSelector=a%3Db%2Cc&limit=5&limit=6&watch&&x+y=+");
  ASSERT_TRUE(query);
  EXPECT_EQ(query->get("labelSelector"), "a=b,c");
  EXPECT_EQ(query->get("limit"), "5");
  EXPECT_EQ(query->all("limit").size(), 2u);
  EXPECT_TRUE(query->has("watch"));
  EXPECT_EQ(query->get("x y"), " ");
  EXPECT_FALSE(query->has("none"));
  EXPECT_FALSE(Query::parse("a=%"));
  EXPECT_FALSE(Query::parse("a=1;b=2"));
}

RC_GTEST_PROP(Escape, GivesBackAnyPairs,
              (const std::vector<std::pair<std::string, std::string>>& pairs)) {
  Query query;
  for (const auto& [name, value] : pairs) query.add(name, value);
  const auto again = Query::parse(query.text());
  const bool is_same = again && *again == query;
  RC_ASSERT(is_same);
}

TEST(Url, IsOfAServer) {
  EXPECT_EQ(*parse_url("HTTPS://host:8443/a/b/"), (Url{"https", "host", 8443, "/a/b"}));
  EXPECT_EQ(*parse_url("http://[::1]"), (Url{"http", "::1", 80, ""}));
  EXPECT_EQ(parse_url("https://[::1]:5")->authority(), "[::1]:5");
  for (const char* bad :
       {"", "host", "ftp://x", "https://", "https://a@b", "https://a:x", "https://a:0",
        "https://a:65536", "https://a:-1", "https://a?b", "https://a#b", "https://a b",
        "https://[::1", "https://[a]", "https:x", "https://a\nb"})
    EXPECT_FALSE(parse_url(bad)) << bad;
}

TEST(Headers, AreFoundWhateverTheirCase) {
  Headers headers{{"Accept", "a"}, {"ACCEPT", "b, c ,,D"}, {"X", ""}};
  EXPECT_EQ(headers.get("accept"), "a");
  EXPECT_TRUE(headers.has("x"));
  EXPECT_TRUE(has_word(headers, "accept", "d"));
  EXPECT_FALSE(has_word(headers, "accept", "b, c"));
  headers.set("accept", "one");
  EXPECT_EQ(headers, (Headers{{"Accept", "one"}, {"X", ""}}));
  headers.remove("ACCEPT");
  EXPECT_EQ(headers.size(), 1u);
}

TEST(Headers, SayWhetherGzipIsAccepted) {
  for (const char* yes : {"gzip", "deflate, GZIP;q=0.5", "*", "gzip;q=0.001", "br;q=1, *;q=0.1"})
    EXPECT_TRUE(accepts_gzip({{"Accept-Encoding", yes}})) << yes;
  for (const char* no :
       {"", "identity", "gzip;q=0", "gzip; q=0.000", "*;q=0", "gzip;q=0, *", "gzipped"})
    EXPECT_FALSE(accepts_gzip({{"Accept-Encoding", no}})) << no;
}

}  // namespace
}  // namespace portico::http::internal
