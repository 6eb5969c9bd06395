// What is wrong with a regular expression, in the words that users of Go, Kubernetes and CEL know.
#pragma once

#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace portico::cel_lib {

/// "error parsing regexp: missing closing ): `(`", of one that is not ok(); `pattern` is its text.
std::string regex_error(const re2::RE2& regex, std::string_view pattern);
/// The same, of a pattern that RE2 refuses. It is parsed once more.
std::string regex_error(std::string_view pattern);

}  // namespace portico::cel_lib
