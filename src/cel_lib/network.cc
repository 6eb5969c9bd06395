// IP addresses and networks: cel-go's network library and Kubernetes' ip and cidr libraries.
#include <fmt/format.h>

#include "cel_lib/internal/address.h"
#include "cel_lib/internal/declare.h"
#include "cel_lib/libraries.h"

namespace portico::cel_lib {
namespace {

using internal::Address;
using internal::parse_address;
using internal::parse_prefix;
using internal::Parsed;
using internal::Prefix;

const Type kIp = Type::opaque("net.IP");
const Type kCidr = Type::opaque("net.CIDR");

template <class T>
class Held final : public cel::Opaque {
 public:
  explicit Held(T value) : value_(std::move(value)) {}
  const T& value() const { return value_; }
  std::string_view type_name() const override {
    return std::is_same_v<T, Address> ? "net.IP" : "net.CIDR";
  }
  bool equals(const Opaque& other) const override {
    return value_ == static_cast<const Held&>(other).value_;
  }
  std::string text() const override { return value_.text(); }

 private:
  T value_;
};

template <class T>
Value hold(T value) {
  return Value::opaque(cel::make_ref<Held<T>>(std::move(value)));
}
const Address& ip_of(const Value& value) {
  return static_cast<const Held<Address>&>(value.as_opaque()).value();
}
const Prefix& cidr_of(const Value& value) {
  return static_cast<const Held<Prefix>&>(value.as_opaque()).value();
}

// Both libraries reject zones and IPv4-mapped IPv6 addresses. Their messages differ, and cel-go
// accepts a mapped address written in hexadecimal, as the IPv4 address.
struct Dialect {
  bool kubernetes = false;

  Parsed<Address> address(std::string_view text) const {
    Parsed<Address> out = parse_address(text);
    if (!out.value)
      return refuse<Address>("IP Address {} parse error during conversion from string: {}",
                             go_quoted(text), out.error);
    if (!out.value->zone.empty())
      return refuse<Address>("IP address {} with zone value is not allowed", go_quoted(text));
    if (out.value->is_mapped()) {
      if (kubernetes || text.find('.') != std::string_view::npos)
        return refuse<Address>("IPv4-mapped IPv6 address {} is not allowed", go_quoted(text));
      out.value = out.value->unmapped();
    }
    return out;
  }

  Parsed<Prefix> prefix(std::string_view text) const {
    Parsed<Prefix> out = parse_prefix(text);
    if (!out.value) {
      if (kubernetes)
        return refuse<Prefix>(
            "network address parse error during conversion from string: network address parse "
            "error during conversion from string: {}",
            out.error);
      return refuse<Prefix>("CIDR {} parse error during conversion from string: {}",
                            go_quoted(text), out.error);
    }
    if (out.value->address.is_mapped())
      return refuse<Prefix>("IPv4-mapped IPv6 address {} is not allowed", go_quoted(text));
    return out;
  }

 private:
  template <class T, class... Given>
  static Parsed<T> refuse(fmt::format_string<Given...> message, Given&&... given) {
    return {std::nullopt, fmt::format(message, std::forward<Given>(given)...)};
  }
};

template <class T>
Value to_value(Parsed<T> parsed) {
  return parsed.value ? hold(std::move(*parsed.value)) : Value::error(std::move(parsed.error));
}

void add_ip(Declarations& to, Dialect dialect) {
  to.global("isIP", {kString}, kBool, [dialect](Args args, Budget&) {
    return Value(dialect.address(args[0].text()).value.has_value());
  });
  to.global("ip.isCanonical", {kString}, kBool, [dialect](Args args, Budget&) {
    const Parsed<Address> parsed = dialect.address(args[0].text());
    if (!parsed.value) return Value::error(parsed.error);
    return Value(parsed.value->text() == args[0].text());
  });
  to.member("family", {kIp}, kInt,
            [](Args args, Budget&) { return of_int(ip_of(args[0]).v4 ? 4 : 6); });
  const std::pair<const char*, bool (Address::*)() const> tests[] = {
      {"isUnspecified", &Address::is_unspecified},
      {"isLoopback", &Address::is_loopback},
      {"isLinkLocalMulticast", &Address::is_link_local_multicast},
      {"isLinkLocalUnicast", &Address::is_link_local_unicast},
      {"isGlobalUnicast", &Address::is_global_unicast}};
  for (const auto& [name, test] : tests)
    to.member(name, {kIp}, kBool,
              [test = test](Args args, Budget&) { return Value((ip_of(args[0]).*test)()); });
  to.global("string", {kIp}, kString,
            [](Args args, Budget&) { return Value::string(ip_of(args[0]).text()); });
  to.global("ip", {kString}, kIp,
            [dialect](Args args, Budget&) { return to_value(dialect.address(args[0].text())); });
}

void add_cidr(Declarations& to, Dialect dialect) {
  to.global("cidr", {kString}, kCidr,
            [dialect](Args args, Budget&) { return to_value(dialect.prefix(args[0].text())); });
  to.global("isCIDR", {kString}, kBool, [dialect](Args args, Budget&) {
    return Value(dialect.prefix(args[0].text()).value.has_value());
  });
  to.member("containsIP", {kCidr, kIp}, kBool,
            [](Args args, Budget&) { return Value(cidr_of(args[0]).contains(ip_of(args[1]))); });
  to.member("containsIP", {kCidr, kString}, kBool, [dialect](Args args, Budget&) {
    const Parsed<Address> other = dialect.address(args[1].text());
    return other.value ? Value(cidr_of(args[0]).contains(*other.value)) : Value::error(other.error);
  });
  to.member("containsCIDR", {kCidr, kCidr}, kBool,
            [](Args args, Budget&) { return Value(cidr_of(args[0]).contains(cidr_of(args[1]))); });
  to.member("containsCIDR", {kCidr, kString}, kBool, [dialect](Args args, Budget&) {
    const Parsed<Prefix> other = dialect.prefix(args[1].text());
    return other.value ? Value(cidr_of(args[0]).contains(*other.value)) : Value::error(other.error);
  });
  to.member("ip", {kCidr}, kIp,
            [](Args args, Budget&) { return hold(Address(cidr_of(args[0]).address)); });
  to.member("masked", {kCidr}, kCidr,
            [](Args args, Budget&) { return hold(cidr_of(args[0]).masked()); });
  to.member("prefixLength", {kCidr}, kInt,
            [](Args args, Budget&) { return of_int(cidr_of(args[0]).bits); });
  to.global("string", {kCidr}, kString,
            [](Args args, Budget&) { return Value::string(cidr_of(args[0]).text()); });
}

// Rejects ip('...') and cidr('...') of an invalid literal.
template <class Parse>
cel::Validator literal_validator(std::string what, Parse parse) {
  return [what, parse](const Expr& call, cel::Report& report) {
    if (call.target != nullptr || call.args.size() != 1) return;
    const Expr& arg = *call.args[0];
    if (arg.kind != ExprKind::kLiteral || !arg.value.is(Kind::kString)) return;
    const auto parsed = parse(arg.value.text());
    if (!parsed.value)
      report.error(arg, fmt::format("invalid {} argument: {}", what, parsed.error));
  };
}

}  // namespace

Library network() {
  const Dialect dialect;
  Declarations to;
  add_ip(to, dialect);
  add_cidr(to, dialect);
  to.member("isMask", {kCidr}, kBool, [](Args args, Budget&) {
    return Value(cidr_of(args[0]) == cidr_of(args[0]).masked());
  });
  Library out;
  out.name = "network";
  out.functions = to.take();
  out.types = {{"net.IP", kIp}, {"net.CIDR", kCidr}};
  out.validators.emplace("ip", literal_validator("ip", [dialect](std::string_view text) {
                           return dialect.address(text);
                         }));
  out.validators.emplace("cidr", literal_validator("cidr", [dialect](std::string_view text) {
                           return dialect.prefix(text);
                         }));
  return out;
}

Library kubernetes::ip() {
  Declarations to;
  add_ip(to, Dialect{true});
  Library out;
  out.name = "k8s.ip";
  out.functions = to.take();
  out.types = {{"net.IP", kIp}};
  return out;
}

Library kubernetes::cidr() {
  Declarations to;
  add_cidr(to, Dialect{true});
  Library out;
  out.name = "k8s.cidr";
  out.functions = to.take();
  out.types = {{"net.CIDR", kCidr}};
  return out;
}

}  // namespace portico::cel_lib
