// Error answers of the Kubernetes API (metav1.Status).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::kubeapi {

/// metav1.StatusDetails; empty fields are omitted.
struct Details {
  std::string name, group, kind, uid;
  std::vector<Cause> causes;
  std::int64_t retry_after_seconds = 0;
  bool operator==(const Details&) const = default;
};

struct [[nodiscard]] Refusal {
  int code = 500;                  // HTTP status code
  std::string reason;              // "NotFound"; "" if Kubernetes gives none
  std::string message;             // for users
  std::optional<Details> details;  // nullopt: `details` is omitted
  bool operator==(const Refusal&) const = default;
};

/// The Status object of a refusal.
json::Value to_status(const Refusal& refusal);

/// A resource as named in errors: most messages use "widgets.test.example.com", some use the kind.
struct Named {
  std::string group, plural, kind;
  std::string resource() const;   // "widgets.test.example.com", "configmaps"
  std::string kind_text() const;  // "Widget.test.example.com", "ConfigMap"
};

Refusal not_found(const Named& type, std::string_view name);
Refusal already_exists(const Named& type, std::string_view name);
/// 422; sorts the causes by field and message, and builds the message from them.
Refusal invalid_object(const Named& type, std::string_view name, std::vector<Cause> causes);
/// 409 with the reason `why`; the message names the kind or the resource.
Refusal conflict_of_kind(const Named& type, std::string_view name, std::string_view why);
Refusal conflict_of_resource(const Named& type, std::string_view name, std::string_view why);
/// 403 for one object: `configmaps "x" is forbidden: why`.
Refusal forbidden_object(const Named& type, std::string_view name, std::string_view why,
                         std::vector<Cause> causes = {});
Refusal bad_request(std::string message);
/// 500 without a reason, as Kubernetes answers some client errors.
Refusal plain_error(std::string message);
/// 404 for an unknown path, 405 for a method that the path does not support.
Refusal no_such_path();
Refusal no_such_method();
/// 405 for a resource: `create is not supported on resources of kind "..."`.
Refusal not_supported(const Named& type, std::string_view verb);
Refusal not_acceptable(std::string message);
Refusal unsupported_media_type(std::string message);
Refusal expired(std::string message);
Refusal too_large(std::string message);
/// 422 for invalid options: `ListOptions.meta.k8s.io "" is invalid: ...`.
Refusal invalid_options(std::string_view kind, std::vector<Cause> causes);

/// Converts a module's Error into the answer to a request for `name` of `type`.
Refusal refusal_of(const Error& error, const Named& type, std::string_view name);
/// The same, without an object.
Refusal refusal_of(const Error& error);

/// A value or a Refusal. Also constructible from an Error, which refusal_of() converts. Works with
/// PORTICO_TRY and PORTICO_DO.
template <class T>
class [[nodiscard]] Reply {
 public:
  Reply(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Reply(Refusal refusal) : state_(std::in_place_index<1>, std::move(refusal)) {}
  Reply(const Error& error) : state_(std::in_place_index<1>, refusal_of(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  bool ok() const { return state_.index() == 0; }

  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }

  const Refusal& error() const& { return std::get<1>(state_); }
  Refusal&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Refusal> state_;
};

}  // namespace portico::kubeapi

namespace portico::internal_try {
inline kubeapi::Refusal add_places(kubeapi::Refusal refusal) { return refusal; }
}  // namespace portico::internal_try
