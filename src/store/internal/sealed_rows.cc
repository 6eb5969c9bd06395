#include "store/internal/sealed_rows.h"

#include "base/hash.h"
#include "json/text.h"
#include "json/value.h"

namespace portico::store {

using json::Value;

namespace {

constexpr const char* kLost = "portico.dev/content-lost";

// The object without its content: only what is stored outside the encrypted text.
std::string without_content(const krm::ObjectKey& key, const std::string& key_text,
                            registry::ResourceVersion version) {
  Value metadata =
      Value::object({{"name", key.name},
                     {"uid", uuid5("lost secret", key_text)},
                     {"resourceVersion", std::to_string(version)},
                     {"annotations", Value::object({{kLost, "its encryption key is missing"}})}});
  if (!key.ns.empty()) metadata = metadata.with("namespace", key.ns);
  const std::string api_version =
      key.type.group.empty() ? "v1" : fmt::format("{}/v1", key.type.group);
  return json::print(Value::object(
      {{"apiVersion", api_version}, {"kind", key.type.kind}, {"metadata", std::move(metadata)}}));
}

}  // namespace

std::string sealed_place(const std::string& key_text, registry::ResourceVersion version) {
  return fmt::format("{} {}", version, key_text);
}

Result<Done> SealedRows::store_anew(const std::string& key_text, registry::ResourceVersion version,
                                    std::string_view text) {
  PORTICO_TRY(rewrites_[version], cipher_->seal(text, sealed_place(key_text, version)));
  return Done{};
}

Result<std::string> SealedRows::open(const krm::ObjectKey& key, const std::string& key_text,
                                     registry::ResourceVersion version, std::string_view stored) {
  if (stored.starts_with('{')) {
    if (cipher_ != nullptr && cipher_->hides(key.type))
      PORTICO_DO(store_anew(key_text, version, stored));
    return std::string(stored);
  }
  if (cipher_ == nullptr) return invalid("it is encrypted, but there is no encryption key");
  auto text = cipher_->open(stored, sealed_place(key_text, version));
  if (text) {
    if (!cipher_->is_current(stored)) PORTICO_DO(store_anew(key_text, version, *text));
    return text;
  }
  if (text.error().code != Code::kNotFound) return std::move(text).error();
  lost_.insert(key_text);
  std::string empty = without_content(key, key_text, version);
  PORTICO_DO(store_anew(key_text, version, empty));
  return empty;
}

Result<Done> SealedRows::check() const {
  if (lost_.empty() || forget_) return Done{};
  constexpr std::size_t kShown = 20;
  std::string names;
  std::size_t shown = 0;
  for (const std::string& one : lost_) {
    if (shown++ == kShown) break;
    names += (names.empty() ? "" : ", ") + one;
  }
  if (lost_.size() > kShown) names += fmt::format(" and {} more", lost_.size() - kShown);
  return invalid("the encryption key of {} objects is missing, so they cannot be read: {}; {}",
                 lost_.size(), names, cipher_->advice());
}

}  // namespace portico::store
