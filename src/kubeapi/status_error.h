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

struct [[nodiscard]] StatusError {
  int code = 500;                  // HTTP status code
  std::string reason;              // "NotFound"; "" if Kubernetes gives none
  std::string message;             // for users
  std::optional<Details> details;  // nullopt: `details` is omitted
  bool operator==(const StatusError&) const = default;
};

/// The Status object of a refusal.
json::Value to_status(const StatusError& refusal);

/// A resource as named in errors: most messages use "widgets.test.example.com", some use the kind.
struct Named {
  std::string group, plural, kind;
  std::string resource() const;   // "widgets.test.example.com", "configmaps"
  std::string kind_text() const;  // "Widget.test.example.com", "ConfigMap"
};

StatusError not_found(const Named& type, std::string_view name);
StatusError already_exists(const Named& type, std::string_view name);
/// 422; sorts the causes by field and message, and builds the message from them.
StatusError invalid_object(const Named& type, std::string_view name, std::vector<Cause> causes);
/// 409 with the reason `why`; the message names the kind or the resource.
StatusError conflict_of_kind(const Named& type, std::string_view name, std::string_view why);
StatusError conflict_of_resource(const Named& type, std::string_view name, std::string_view why);
/// 403 for one object: `configmaps "x" is forbidden: why`.
StatusError forbidden_object(const Named& type, std::string_view name, std::string_view why,
                             std::vector<Cause> causes = {});
StatusError bad_request(std::string message);
/// 500 without a reason, as Kubernetes answers some client errors.
StatusError plain_error(std::string message);
/// 404 for an unknown path, 405 for a method that the path does not support.
StatusError no_such_path();
StatusError no_such_method();
/// 405 for a resource: `create is not supported on resources of kind "..."`.
StatusError not_supported(const Named& type, std::string_view verb);
StatusError not_acceptable(std::string message);
StatusError unsupported_media_type(std::string message);
StatusError expired(std::string message);
StatusError too_large(std::string message);
/// 422 for invalid options: `ListOptions.meta.k8s.io "" is invalid: ...`.
StatusError invalid_options(std::string_view kind, std::vector<Cause> causes);

/// Converts a module's Error into the answer to a request for `name` of `type`.
StatusError status_error_of(const Error& error, const Named& type, std::string_view name);
/// The same, without an object.
StatusError status_error_of(const Error& error);

/// A value or a StatusError. Also constructible from an Error, which status_error_of() converts.
/// Works with PORTICO_TRY and PORTICO_DO.
template <class T>
class [[nodiscard]] StatusOr {
 public:
  StatusOr(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  StatusOr(StatusError refusal) : state_(std::in_place_index<1>, std::move(refusal)) {}
  StatusOr(const Error& error) : state_(std::in_place_index<1>, status_error_of(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  bool ok() const { return state_.index() == 0; }

  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }

  const StatusError& error() const& { return std::get<1>(state_); }
  StatusError&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, StatusError> state_;
};

}  // namespace portico::kubeapi

namespace portico::internal_try {
inline kubeapi::StatusError add_places(kubeapi::StatusError refusal) { return refusal; }
}  // namespace portico::internal_try
