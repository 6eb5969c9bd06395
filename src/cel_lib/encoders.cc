// base64.
#include "base/hash.h"
#include "cel_lib/internal/declare.h"
#include "cel_lib/libraries.h"

namespace portico::cel_lib {
namespace {

// Padding is optional.
Value decode(Args args, Budget&) {
  std::string text(args[0].text());
  std::string bytes;
  if (text.find('=') == std::string::npos && text.size() % 4 >= 2)
    text.append(4 - text.size() % 4, '=');
  if (!base64_decode(text, bytes)) return Value::error("illegal base64 data in input");
  return Value::bytes(bytes);
}

}  // namespace

Library encoders() {
  Declarations to;
  to.global("base64.decode", {kString}, kBytes, decode);
  to.global("base64.encode", {kBytes}, kString,
            [](Args args, Budget&) { return Value::string(base64_encode(args[0].text())); });
  Library out;
  out.name = "encoders";
  out.functions = to.take();
  return out;
}

}  // namespace portico::cel_lib
