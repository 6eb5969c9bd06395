// Path templates never crash or hang, whatever the input, and render deterministically.
#include <cstdlib>

#include "json/text.h"
#include "jsonpath/template.h"

namespace json = portico::json;
namespace jsonpath = portico::jsonpath;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const json::Value kObject =
      *json::parse(R"({"a":{"b":[1,"x",{"c":true}],"d":null},"e":[[1,2],[3]],"n":1.5})");
  const auto parsed = jsonpath::Template::parse({reinterpret_cast<const char*>(data), size});
  if (!parsed) return 0;
  const auto once = parsed->render(kObject), again = parsed->render(kObject);
  if (once.ok() != again.ok() || (once && *once != *again)) std::abort();
  return 0;
}
