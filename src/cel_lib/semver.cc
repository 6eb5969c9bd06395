// Semantic versions (semver.org 2.0.0), as in the Kubernetes library.
#include "cel_lib/internal/declare.h"
#include "cel_lib/libraries.h"
#include "semver/version.h"

namespace portico::cel_lib {
namespace {

const Type kSemver = Type::opaque("kubernetes.Semver");

using semver::Version;

class Semver final : public cel::Opaque {
 public:
  explicit Semver(Version version) : version_(std::move(version)) {}
  const Version& version() const { return version_; }
  std::string_view type_name() const override { return "kubernetes.Semver"; }
  bool equals(const Opaque& other) const override {
    return version_ == static_cast<const Semver&>(other).version_;
  }
  std::string text() const override { return version_.text(); }

 private:
  Version version_;
};

const Version& version_of(const Value& value) {
  return static_cast<const Semver&>(value.as_opaque()).version();
}

Result<Version> read(Args args) {
  const bool normalize = args.size() > 1 && args[1].as_bool();
  return (normalize ? semver::parse_normalized : semver::parse_strict)(args[0].text(), go_quoted);
}

Value make(Args args, Budget&) {
  auto version = read(args);
  if (!version) return Value::error(version.error().what);
  return Value::opaque(cel::make_ref<Semver>(*std::move(version)));
}

Value is_semver(Args args, Budget&) { return Value(read(args).ok()); }

std::int64_t order(const Version& a, const Version& b) { return a < b ? -1 : a == b ? 0 : 1; }

void add_number(Declarations& to, const char* name, std::uint64_t Version::*part) {
  to.member(name, {kSemver}, kInt, [part](Args args, Budget&) {
    return Value(static_cast<std::int64_t>(version_of(args[0]).*part));
  });
}

}  // namespace

Library kubernetes::semver(int version) {
  Declarations to;
  to.global("semver", {kString}, kSemver, make);
  if (version >= 1) to.global("semver", {kString, kBool}, kSemver, make);
  to.global("isSemver", {kString}, kBool, is_semver);
  if (version >= 1) to.global("isSemver", {kString, kBool}, kBool, is_semver);
  add_number(to, "major", &Version::major);
  add_number(to, "minor", &Version::minor);
  add_number(to, "patch", &Version::patch);
  to.member("isLessThan", {kSemver, kSemver}, kBool, [](Args args, Budget&) {
    return Value(order(version_of(args[0]), version_of(args[1])) < 0);
  });
  to.member("isGreaterThan", {kSemver, kSemver}, kBool, [](Args args, Budget&) {
    return Value(order(version_of(args[0]), version_of(args[1])) > 0);
  });
  to.member("compareTo", {kSemver, kSemver}, kInt, [](Args args, Budget&) {
    return Value(order(version_of(args[0]), version_of(args[1])));
  });
  Library out;
  out.name = "k8s.semver";
  out.functions = to.take();
  out.types = {{"kubernetes.Semver", kSemver}};
  return out;
}

}  // namespace portico::cel_lib
