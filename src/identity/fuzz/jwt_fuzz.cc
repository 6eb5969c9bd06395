// Parses arbitrary bytes as a token and as a key set: accepted or refused, but never verified by
// a key.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "identity/jwt.h"

namespace portico::identity {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const SigningKey key = *SigningKey::from_pem(*SigningKey::make_pem());
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto token = parse_jwt(text)) {
    if (!token->claims.is_object() || token->signed_text.empty()) std::abort();
    if (key.verify_key().verifies(*token)) std::abort();
    (void)check_times(token->claims, 1'800'000'000, 0);
    (void)is_for(token->claims, "a");
  }
  if (const auto bytes = base64url_decode(text); bytes && base64url_encode(*bytes) != text)
    std::abort();
  if (const auto keys = parse_jwk_set(text))
    for (const VerifyKey& one : *keys)
      if (!VerifyKey::from_jwk(one.jwk())) std::abort();
  return 0;
}

}  // namespace portico::identity
