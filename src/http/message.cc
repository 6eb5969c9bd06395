#include "http/message.h"

#include <algorithm>
#include <array>

namespace portico::http {
namespace {

struct Phrase {
  int status;
  std::string_view text;
};

// RFC 9110, section 15; sorted.
constexpr auto kPhrases = std::to_array<Phrase>({
    {100, "Continue"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Request Entity Too Large"},
    {414, "Request URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Entity"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {507, "Insufficient Storage"},
});

}  // namespace

std::string_view reason_phrase(int status) {
  const auto at =
      std::lower_bound(kPhrases.begin(), kPhrases.end(), status,
                       [](const Phrase& phrase, int number) { return phrase.status < number; });
  return at != kPhrases.end() && at->status == status ? at->text : "Unknown";
}

}  // namespace portico::http
