// Error handling: Error, Result and the macros that propagate them. No exception crosses a module
// boundary.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace portico {

/// Chosen by what the caller can do about the error.
enum class Code {
  kInvalid,      // the input is wrong: wait until it changes
  kNotFound,     // wait for an event
  kConflict,     // another writer was faster: read again and retry at once
  kUnavailable,  // something outside is unavailable: back off and retry
  kInternal,     // a bug in Portico: log it, back off
};

/// "Invalid", "NotFound", ...; stable, for logs and tests.
const char* name(Code code);

/// The kind of failure, where Code is too coarse. Meant for API clients, which read Kubernetes'
/// reasons (metav1.StatusReason); code that decides what to do next reads the Code.
enum class Reason {
  kByCode,  // follows Code: Invalid, NotFound, Conflict, ServiceUnavailable, InternalError
  kBadRequest,
  kUnauthorized,
  kForbidden,  // by an API server or Portico itself
  kRefused,    // by what is behind Portico, such as a git server (base/world_error.h); for clients
               // the same as kForbidden
  kAlreadyExists,
  kExpired,  // a version that is no longer kept: list again
  kMethodNotAllowed,
  kNotAcceptable,
  kUnsupportedMediaType,
  kTooLarge,
  kTooManyRequests,
  kTimeout,
};

/// Kubernetes' name of the reason: "AlreadyExists", "Expired", ...; for kByCode, the one of `code`.
const char* name(Reason reason, Code code);

/// One of several errors reported at once (metav1.StatusCause).
struct Cause {
  std::string reason;   // "FieldValueInvalid", "FieldValueRequired", ...
  std::string message;  // one line, no full stop
  std::string field;    // "spec.downstream.repo"; "" for the whole object
  bool operator==(const Cause&) const = default;
};

struct [[nodiscard]] Error {
  Code code = Code::kInternal;
  std::string what;                // one line, no full stop, quotes the offending value
  std::vector<std::string> where;  // innermost first
  Reason reason = Reason::kByCode;
  std::vector<Cause> causes;  // if several things are wrong; `what` is complete without them

  Error() = default;
  Error(Code why, std::string text, std::vector<std::string> places = {})
      : code(why), what(std::move(text)), where(std::move(places)) {}

  Error&& because(Reason why) && {
    reason = why;
    return std::move(*this);
  }

  Error&& in(std::string place) && {
    where.push_back(std::move(place));
    return std::move(*this);
  }
  Error in(std::string place) const& { return Error(*this).in(std::move(place)); }

  /// The places, outermost first, then `what`: "pvs/edge: target[2]: packageExpr: ...".
  std::string text() const;

  bool operator==(const Error&) const = default;
};

template <class... Args>
Error invalid(fmt::format_string<Args...> text, Args&&... args) {
  return {Code::kInvalid, fmt::format(text, std::forward<Args>(args)...)};
}
template <class... Args>
Error not_found(fmt::format_string<Args...> text, Args&&... args) {
  return {Code::kNotFound, fmt::format(text, std::forward<Args>(args)...)};
}
template <class... Args>
Error conflict(fmt::format_string<Args...> text, Args&&... args) {
  return {Code::kConflict, fmt::format(text, std::forward<Args>(args)...)};
}
template <class... Args>
Error already_exists(fmt::format_string<Args...> text, Args&&... args) {
  return conflict(text, std::forward<Args>(args)...).because(Reason::kAlreadyExists);
}
template <class... Args>
Error forbidden(fmt::format_string<Args...> text, Args&&... args) {
  return invalid(text, std::forward<Args>(args)...).because(Reason::kForbidden);
}
template <class... Args>
Error unavailable(fmt::format_string<Args...> text, Args&&... args) {
  return {Code::kUnavailable, fmt::format(text, std::forward<Args>(args)...)};
}
template <class... Args>
Error internal(fmt::format_string<Args...> text, Args&&... args) {
  return {Code::kInternal, fmt::format(text, std::forward<Args>(args)...)};
}

/// A value or an Error. Accessing the one that is absent is a bug and throws
/// std::bad_variant_access.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  bool ok() const { return state_.index() == 0; }

  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }

  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

using Done = std::monostate;  // Result<Done>: success without a value

namespace internal_try {
inline Error add_places(Error error) { return error; }
template <class Place>
Error add_places(Error error, Place&& place) {
  return std::move(error).in(std::forward<Place>(place));
}
}  // namespace internal_try

#define PORTICO_CONCAT_(a, b) a##b
#define PORTICO_CONCAT(a, b) PORTICO_CONCAT_(a, b)

/// PORTICO_TRY(auto repo, eval(expr, vars), "repoExpr"): declares `repo`, or returns the error with
/// the (optional) place added. PORTICO_DO does the same for a Result whose value is not needed.
#define PORTICO_TRY(declaration, expression, ...)                                              \
  auto PORTICO_CONCAT(portico_try_, __LINE__) = (expression);                                  \
  if (!PORTICO_CONCAT(portico_try_, __LINE__))                                                 \
    return ::portico::internal_try::add_places(                                                \
        std::move(PORTICO_CONCAT(portico_try_, __LINE__)).error() __VA_OPT__(, ) __VA_ARGS__); \
  declaration = *std::move(PORTICO_CONCAT(portico_try_, __LINE__))

#define PORTICO_DO(expression, ...)                                    \
  do {                                                                 \
    if (auto portico_done = (expression); !portico_done)               \
      return ::portico::internal_try::add_places(                      \
          std::move(portico_done).error() __VA_OPT__(, ) __VA_ARGS__); \
  } while (false)

}  // namespace portico
