// Errors in regular expressions, in the wording that users of Go, Kubernetes and CEL know.
#pragma once

#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace portico::cel_lib {

/// "error parsing regexp: missing closing ): `(`", for a regex that is not ok(); `pattern` is its
/// text.
std::string regex_error(const re2::RE2& regex, std::string_view pattern);
/// The same for a pattern that RE2 rejects. Parses it once more.
std::string regex_error(std::string_view pattern);

}  // namespace portico::cel_lib
