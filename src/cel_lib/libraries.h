// The libraries that an environment may be given.
#pragma once

#include <optional>
#include <string_view>

#include "cel/library.h"

namespace portico::cel_lib {

using cel::Library;

/// Sizes, conversions, string tests, matches, parts of times: what every CEL has.
Library standard();

/// charAt, indexOf, join, lowerAscii, replace, split, substring, trim, upperAscii, ...; from
/// version 1 on format and quote, from 2 on join, from 3 on reverse. Versions 1 to 3 have the first
/// generation of format (`%e` with a typographic exponent, decimal marks by `locale`), 4 and above
/// the second, which knows no locale.
Library strings(int version = 4, std::string_view locale = "en_US");

/// math.least, greatest, ceil, floor, round, trunc, abs, sign, sqrt, isNaN, isInf, isFinite,
/// bitAnd, bitOr, bitXor, bitNot, bitShiftLeft, bitShiftRight.
Library math();

/// slice, flatten, sort, sortBy, distinct, reverse, lists.range.
Library lists();

/// sets.contains, equivalent, intersects.
Library sets();

/// base64.encode, base64.decode.
Library encoders();

/// regex.extract, extractAll, replace; needs optionals.
Library regex();

/// optional.of, none, ofNonZeroValue, unwrap; hasValue, value, or, orValue, optMap, optFlatMap,
/// first, last, unwrapOpt; and the syntax a.?b, a[?b], [?a], {?k: v}.
Library optionals();

/// cel.bind(name, value, expression).
Library bindings();

/// all, exists, existsOne, transformList, transformMap, transformMapEntry over key and value.
Library two_variable_comprehensions();

/// cel.block, cel.index, cel.iterVar, cel.accuVar: what optimisers write.
Library block();

/// ip, cidr, isIP, isCIDR, ... as cel-go has them: a literal that is no address does not check.
Library network();

/// No functions, but a look at their literals when an expression is checked: timestamp, duration,
/// url, quantity, semver, ip and cidr of a text that is none, and broken patterns of matches, find
/// and findAll are refused there.
Library literal_checks();

/// Kubernetes' own (k8s.io/apiserver/pkg/cel/library).
namespace kubernetes {

/// isSorted, sum, min, max, indexOf, lastIndexOf.
Library lists();
/// find, findAll.
Library regex();
/// url, isURL, getScheme, getHost, getHostname, getPort, getEscapedPath, getQuery.
Library urls();
/// quantity, isQuantity, sign, add, sub, compareTo, isLessThan, isGreaterThan, asInteger, ...
Library quantity();
/// semver, isSemver, major, minor, patch, compareTo, ...; version 1 adds the normalizing forms.
Library semver(int version = 1);
/// ip, isIP, ip.isCanonical, family, isLoopback, ...
Library ip();
/// cidr, isCIDR, containsIP, containsCIDR, masked, prefixLength.
Library cidr();
/// format.named, format.dns1123Label, ...; validate.
Library format();

}  // namespace kubernetes

/// "strings", "strings@2" (a version), "comprehensions2", "k8s.urls", ...; nothing for an unknown
/// name. `locale` is that of strings.
std::optional<Library> find_library(std::string_view name, std::string_view locale = "en_US");

}  // namespace portico::cel_lib
