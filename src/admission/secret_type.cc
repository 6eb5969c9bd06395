#include "admission/secret_type.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "json/text.h"
#include "krm/meta.h"

namespace portico::admission {

using json::Value;

namespace {

constexpr const char* kServiceAccount = "kubernetes.io/service-account.name";

class Faults {
 public:
  explicit Faults(const Value& secret) : secret_(secret) {}

  bool has(std::string_view key) const { return secret_["data"].contains(key); }
  void miss(std::string_view key) { found_.push_back({fmt::format("data[{}]", key), ""}); }
  void require(std::string_view key) {
    if (!has(key)) miss(key);
  }
  // The entry must exist and be a JSON object, as docker writes it.
  void require_object(std::string_view key) {
    if (!has(key)) return miss(key);
    std::string text;
    const auto parsed = base64_decode(secret_["data"][key].as_string(), text)
                            ? json::parse(text)
                            : Result<Value>(Value());
    if (!parsed || !(parsed->is_object() || parsed->is_null()))
      found_.push_back({fmt::format("data[{}]", key), "must be a JSON object"});
  }
  void require_account() {
    if (krm::annotation_of(secret_, kServiceAccount).empty())
      found_.push_back({fmt::format("metadata.annotations[{}]", kServiceAccount), ""});
  }
  std::vector<SecretFault> take() && { return std::move(found_); }

 private:
  const Value& secret_;
  std::vector<SecretFault> found_;
};

}  // namespace

std::string secret_type(const Value& secret) {
  const std::string_view type = secret["type"].as_string();
  return type.empty() ? "Opaque" : std::string(type);
}

std::vector<SecretFault> secret_faults(const Value& secret) {
  Faults faults(secret);
  const std::string_view type = secret["type"].as_string();
  if (type == "kubernetes.io/tls") {
    faults.require("tls.crt");
    faults.require("tls.key");
  } else if (type == "kubernetes.io/basic-auth") {
    // One of them is enough, and may be empty.
    if (!faults.has("username") && !faults.has("password")) {
      faults.miss("username");
      faults.miss("password");
    }
  } else if (type == "kubernetes.io/ssh-auth") {
    if (secret["data"]["ssh-privatekey"].as_string().empty()) faults.miss("ssh-privatekey");
  } else if (type == "kubernetes.io/dockerconfigjson") {
    faults.require_object(".dockerconfigjson");
  } else if (type == "kubernetes.io/dockercfg") {
    faults.require_object(".dockercfg");
  } else if (type == "kubernetes.io/service-account-token") {
    faults.require_account();
  }
  return std::move(faults).take();
}

}  // namespace portico::admission
