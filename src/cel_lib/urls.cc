// Kubernetes' URL functions.
#include "cel_lib/internal/declare.h"
#include "cel_lib/internal/url.h"
#include "cel_lib/libraries.h"

namespace portico::cel_lib {
namespace {

using internal::parse_url;
using internal::Url;

const Type kUrl = Type::opaque("kubernetes.URL");

class HeldUrl final : public cel::Opaque {
 public:
  explicit HeldUrl(Url url) : url_(std::move(url)) {}
  const Url& url() const { return url_; }
  std::string_view type_name() const override { return "kubernetes.URL"; }
  bool equals(const Opaque& other) const override {
    return url_.text() == static_cast<const HeldUrl&>(other).url_.text();
  }
  std::string text() const override { return url_.text(); }

 private:
  Url url_;
};

const Url& url_of(const Value& value) {
  return static_cast<const HeldUrl&>(value.as_opaque()).url();
}

template <class Part>
void add_part(Declarations& to, const char* name, Part part) {
  to.member(name, {kUrl}, kString,
            [part](Args args, Budget&) { return Value::string(part(url_of(args[0]))); });
}

Value query_of(Args args, Budget&) {
  std::vector<std::pair<Value, Value>> entries;
  for (const auto& [key, values] : url_of(args[0]).query_values()) {
    std::vector<Value> items;
    for (const std::string& value : values) items.push_back(Value::string(value));
    entries.emplace_back(Value::string(key), Value::list(std::move(items)));
  }
  return Value::map(std::move(entries));
}

}  // namespace

Library kubernetes::urls() {
  Declarations to;
  to.global("url", {kString}, kUrl, [](Args args, Budget&) {
    std::string error;
    auto url = parse_url(args[0].text(), error);
    if (!url) return Value::error("URL parse error during conversion from string: " + error);
    return Value::opaque(cel::make_ref<HeldUrl>(std::move(*url)));
  });
  to.global("isURL", {kString}, kBool, [](Args args, Budget&) {
    std::string error;
    return Value(parse_url(args[0].text(), error).has_value());
  });
  add_part(to, "getScheme", [](const Url& url) { return url.scheme; });
  add_part(to, "getHost", [](const Url& url) { return url.host; });
  add_part(to, "getHostname", [](const Url& url) { return url.hostname(); });
  add_part(to, "getPort", [](const Url& url) { return url.port(); });
  add_part(to, "getEscapedPath", [](const Url& url) { return url.path; });
  to.member("getQuery", {kUrl}, Type::map(kString, Type::list(kString)), query_of);
  Library out;
  out.name = "k8s.urls";
  out.functions = to.take();
  out.types = {{"kubernetes.URL", kUrl}};
  return out;
}

}  // namespace portico::cel_lib
