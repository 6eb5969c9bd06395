// encoding/base64.star and hash.star
#include <algorithm>

#include "base/hash.h"
#include "starlark/call.h"
#include "starlark_lib/internal/libraries.h"

namespace portico::starlark_lib {

using starlark::Call;
using starlark::Heap;
using starlark::Value;

namespace {

struct Encoding {
  bool url = false;
  bool padded = true;
};

Result<Encoding> encoding_of(const Call& call) {
  PORTICO_TRY(const auto name, call.text(1));
  if (name.empty() || name == "standard") return Encoding{};
  if (name == "standard_raw") return Encoding{false, false};
  if (name == "url") return Encoding{true, true};
  if (name == "url_raw") return Encoding{true, false};
  return invalid("unsupported encoding format: {}", Value(call[1]).repr());
}

void swap_alphabet(std::string& text, std::string_view from, std::string_view to) {
  for (char& c : text)
    if (const std::size_t at = from.find(c); at != std::string_view::npos) c = to[at];
}

Result<Value> encode(Call& call) {
  PORTICO_DO(call.bind({"data", "encoding?"}));
  PORTICO_TRY(const auto data, call.text(0));
  PORTICO_TRY(const Encoding encoding, encoding_of(call));
  std::string text = base64_encode(data);
  if (encoding.url) swap_alphabet(text, "+/", "-_");
  if (!encoding.padded) text.erase(std::min(text.find('='), text.size()));
  return call.heap.string(text);
}

Result<Value> decode(Call& call) {
  PORTICO_DO(call.bind({"data", "encoding?"}));
  PORTICO_TRY(const auto data, call.text(0));
  PORTICO_TRY(const Encoding encoding, encoding_of(call));
  std::string text;
  // Line breaks are not part of the data; characters of the other alphabet are invalid.
  for (const char c : data)
    if (c != '\n' && c != '\r') text += c;
  const std::string_view foreign = encoding.url ? "+/" : "-_";
  std::size_t wrong = text.find_first_of(foreign);
  if (!encoding.padded) wrong = std::min(wrong, text.find('='));
  if (encoding.url) swap_alphabet(text, "-_", "+/");
  if (!encoding.padded) text.append((4 - text.size() % 4) % 4, '=');
  std::string bytes;
  if (wrong != std::string::npos || !base64_decode(text, bytes))
    return invalid("illegal base64 data in {} bytes", data.size());
  return call.heap.string(bytes);
}

template <std::string (*digest)(std::string_view)>
Result<Value> hashed(Call& call) {
  PORTICO_DO(call.bind_positional(1, 1));
  PORTICO_TRY(const auto text, call.text(0));
  if (!call.heap.spend(text.size() / 16)) return invalid("{}", call.heap.exhausted());
  return call.heap.string(digest(text));
}

}  // namespace

Value base64_module(Heap& heap) {
  return heap.module("base64", {{"encode", heap.builtin("encode", encode)},
                                {"decode", heap.builtin("decode", decode)}});
}

Value hash_module(Heap& heap) {
  return heap.module("hash", {{"md5", heap.builtin("hash.md5", hashed<md5_hex>)},
                              {"sha1", heap.builtin("hash.sha1", hashed<sha1_hex>)},
                              {"sha256", heap.builtin("hash.sha256", hashed<sha256_hex>)}});
}

}  // namespace portico::starlark_lib
