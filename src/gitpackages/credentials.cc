#include "gitpackages/credentials.h"

#include <algorithm>

#include "base/hash.h"
#include "krm/meta.h"

namespace portico::gitpackages {
namespace {

using json::Value;

Result<std::string> value_of(const Value& secret, std::string_view key) {
  const auto wrong = [&](std::string_view what) {
    return invalid("{}", what).in(fmt::format("data.{}", key));
  };
  const Value& data = secret["data"][key];
  if (data.is_null()) return wrong("missing required key");
  std::string out;
  if (!data.is_string() || !base64_decode(data.as_string(), out)) return wrong("is not base64");
  if (out.ends_with('\n'))
    return wrong("ends with a line break; encode it without one (echo -n, printf)");
  // Values become part of a header or of lines in git's credential protocol.
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::any_of(out.begin(), out.end(), control)) return wrong("contains a control character");
  return out;
}

Result<Credentials> password_of(const Value& secret) {
  Credentials out;
  PORTICO_TRY(out.username, value_of(secret, "username"));
  PORTICO_TRY(out.password, value_of(secret, "password"));
  return out;
}

Result<Credentials> read(const Value& secret) {
  const std::string_view type = secret["type"].as_string();
  if (type == "kubernetes.io/basic-auth") return password_of(secret);
  if (!type.empty() && type != "Opaque")
    return invalid(
               "\"{}\" is not supported; use kubernetes.io/basic-auth, or Opaque with a "
               "bearerToken",
               type)
        .in("type");
  if (!secret["data"].contains("bearerToken") && secret["data"].contains("password"))
    return password_of(secret);
  Credentials out;
  PORTICO_TRY(out.bearer_token, value_of(secret, "bearerToken"));
  if (out.bearer_token.empty()) return invalid("must not be empty").in("data.bearerToken");
  return out;
}

}  // namespace

Result<Credentials> credentials_of(const Value& secret) {
  auto out = read(secret);
  if (!out) return std::move(out).error().in(fmt::format("Secret \"{}\"", krm::name_of(secret)));
  return out;
}

}  // namespace portico::gitpackages
