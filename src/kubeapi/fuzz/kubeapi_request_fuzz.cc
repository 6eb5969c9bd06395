// Parses arbitrary bytes as path, query, selectors, options and accepted types of a request. First
// line: the target; second: Accept; the rest: a field selector.
#include <cstdint>
#include <string_view>

#include "kubeapi/accept.h"
#include "kubeapi/options.h"
#include "kubeapi/request_info.h"
#include "kubeapi/selector.h"

namespace portico::kubeapi {
namespace {

void read_request(std::string_view rest) {
  static const Catalog kCatalog = builtin_catalog();
  static const Catalog::Type kType = kCatalog.find("", "v1", "events");
  const auto line = [&] {
    const std::size_t end = rest.find('\n');
    const std::string_view out = rest.substr(0, end);
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
    return out;
  };
  const std::string_view target = line(), accept = line();
  const std::size_t mark = target.find('?');
  const auto query =
      http::Query::parse(mark == std::string_view::npos ? "" : target.substr(mark + 1));
  static_cast<void>(negotiate(accept, {}));
  if (!query) return;
  static_cast<void>(request_info("GET", target.substr(0, mark), *query));
  for (const bool watch : {false, true}) static_cast<void>(list_options(*query, watch));
  static_cast<void>(write_options(*query, "PatchOptions", true));
  static_cast<void>(delete_options(*query, json::Value()));
  const auto filter = Filter::parse(query->get("labelSelector"), rest, *kType, kType->versions[0]);
  if (filter) static_cast<void>(filter->matches_rest(json::Value::object()));
}

}  // namespace
}  // namespace portico::kubeapi

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  portico::kubeapi::read_request({reinterpret_cast<const char*>(data), size});
  return 0;
}
