// Parses arbitrary bytes as query, path and URL: what was parsed survives printing and parsing.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "http/escape.h"
#include "http/headers.h"

namespace portico::http {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto query = Query::parse(text)) {
    const auto again = Query::parse(query->text());
    if (!again || !(*again == *query)) std::abort();
  }
  if (const auto segments = path_segments(text)) {
    std::string path;
    for (const std::string& segment : *segments) path += "/" + percent_encode(segment);
    const auto again = path_segments(path);
    if (!again || *again != *segments) std::abort();
  }
  if (const auto url = parse_url(text)) {
    const auto again = parse_url(url->scheme + "://" + url->authority() + url->path);
    if (!again || !(*again == *url)) std::abort();
  }
  const auto decoded = percent_decode(percent_encode(text));
  if (!decoded || *decoded != text) std::abort();
  (void)accepts_gzip({{"Accept-Encoding", text}});
  return 0;
}

}  // namespace portico::http
