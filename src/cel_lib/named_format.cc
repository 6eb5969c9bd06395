// Kubernetes' format library: format.dns1123Label().validate(text).
#include "cel_lib/internal/declare.h"
#include "cel_lib/internal/names.h"
#include "cel_lib/libraries.h"

namespace portico::cel_lib {
namespace {

using internal::named_formats;
using internal::NamedFormat;

const Type kFormat = Type::opaque("kubernetes.NamedFormat");

class HeldFormat final : public cel::Opaque {
 public:
  explicit HeldFormat(const NamedFormat& format) : format_(format) {}
  const NamedFormat& format() const { return format_; }
  std::string_view type_name() const override { return "kubernetes.NamedFormat"; }
  bool equals(const Opaque& other) const override {
    return &format_ == &static_cast<const HeldFormat&>(other).format_;
  }
  std::string text() const override { return format_.name; }

 private:
  const NamedFormat& format_;
};

Value hold(const NamedFormat& format) { return Value::opaque(cel::make_ref<HeldFormat>(format)); }

Value named(Args args, Budget&) {
  for (const NamedFormat& format : named_formats())
    if (args[0].text() == format.name) return Value::optional_of(hold(format));
  return Value::optional_none();
}

Value validate(Args args, Budget&) {
  const auto& held = static_cast<const HeldFormat&>(args[0].as_opaque());
  std::vector<Value> problems;
  for (const std::string& problem : held.format().check(args[1].text()))
    problems.push_back(Value::string(problem));
  if (problems.empty()) return Value::optional_none();
  return Value::optional_of(Value::list(std::move(problems)));
}

}  // namespace

Library kubernetes::format() {
  Declarations to;
  to.global("format.named", {kString}, Type::optional(kFormat), named);
  for (const NamedFormat& format : named_formats())
    to.global(std::string("format.") + format.name, {}, kFormat,
              [&format](Args, Budget&) { return hold(format); });
  to.member("validate", {kFormat, kString}, Type::optional(Type::list(kString)), validate);
  Library out;
  out.name = "k8s.format";
  out.functions = to.take();
  out.types = {{"kubernetes.NamedFormat", kFormat}};
  return out;
}

}  // namespace portico::cel_lib
