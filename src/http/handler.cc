#include "http/handler.h"

namespace portico::http {

Place Handler::place(const Request& head) {
  return {.share = 0, .flow = head.peer ? head.peer->address : std::string()};
}

std::size_t Handler::body_limit(const Request&) { return 3u << 20; }

Response Handler::refuse(const Refusal& refusal) {
  return {.status = refusal.status,
          .headers = {{"Content-Type", "text/plain; charset=utf-8"}},
          .body = refusal.why + "\n"};
}

}  // namespace portico::http
