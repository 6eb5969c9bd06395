// Feeds arbitrary bytes to the request parser in pieces of any size: the result is requests or a
// refusal, independent of the pieces, and limits hold.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "http/escape.h"
#include "http/internal/request_parser.h"

namespace portico::http::internal {
namespace {

constexpr ParserLimits kLimits{.header_bytes = 2000, .header_count = 20, .target_bytes = 300};
constexpr std::size_t kMostBody = 1000;

void check(const Request& request) {
  if (request.target.size() > kLimits.target_bytes || !request.target.starts_with('/'))
    std::abort();
  if (request.headers.size() > kLimits.header_count || request.body.size() > kMostBody)
    std::abort();
  for (const HeaderField& field : request.headers)
    if ((field.name + field.value).find_first_of(std::string_view("\r\n\0", 3)) !=
        std::string::npos)
      std::abort();
  if (request.headers.has("Content-Length") && request.headers.has("Transfer-Encoding"))
    std::abort();
  if (const auto segments = path_segments(request.path()); segments && segments->empty())
    std::abort();
  (void)Query::parse(request.query());
}

std::string read_all(std::string_view bytes, std::size_t step) {
  std::string out, input;
  auto parser = std::make_unique<RequestParser>(kLimits);
  for (;;) {
    const auto fed = parser->feed(input);
    if (fed.used > input.size()) std::abort();
    input.erase(0, fed.used);
    auto state = fed.state;
    if (state == RequestParser::State::kHead) {
      parser->give_back(parser->take());
      state = parser->begin_body(kMostBody);
      if (state == RequestParser::State::kMore) continue;
    }
    if (state == RequestParser::State::kBad) {
      if (parser->status() < 400 || parser->status() > 599 || parser->why().empty()) std::abort();
      return out + std::to_string(parser->status());
    }
    if (state == RequestParser::State::kDone) {
      const Request request = parser->take();
      check(request);
      out += request.method + " " + request.target + "\n" + request.body + "\n";
      parser = std::make_unique<RequestParser>(kLimits);
      continue;
    }
    if (bytes.empty()) return out;
    input += bytes.substr(0, step);
    bytes.remove_prefix(std::min(step, bytes.size()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string whole = read_all(bytes, bytes.size());
  const std::string pieces = read_all(bytes, data[0] % 16 + 1u);
  // A refusal may come before the end of the refused input, but the requests before it are the
  // same.
  if (whole != pieces &&
      whole.substr(0, whole.rfind('\n') + 1) != pieces.substr(0, pieces.rfind('\n') + 1))
    std::abort();
  return 0;
}

}  // namespace portico::http::internal
