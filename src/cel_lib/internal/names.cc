#include "cel_lib/internal/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "base/hash.h"
#include "cel/time.h"
#include "cel_lib/internal/url.h"

namespace portico::cel_lib::internal {
namespace {

using Problems = std::vector<std::string>;

constexpr std::size_t kLabelLength = 63;
constexpr std::size_t kSubdomainLength = 253;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower_alphanumeric(char c) { return is_lower(c) || is_digit(c); }
bool is_alphanumeric(char c) { return is_lower(c) || is_upper(c) || is_digit(c); }

std::string too_long(std::size_t most) {
  return fmt::format("must be no more than {} characters", most);
}

// "message (e.g. 'a',  or 'b', regex used for validation is 'pattern')"
std::string regex_problem(std::string_view message, std::string_view pattern,
                          std::initializer_list<std::string_view> examples) {
  std::string out(message);
  out += " (e.g. ";
  for (const std::string_view example : examples) {
    if (example != *examples.begin()) out += " or ";
    out += fmt::format("'{}', ", example);
  }
  return out + fmt::format("regex used for validation is '{}')", pattern);
}

// [a-z0-9]([-a-z0-9]*[a-z0-9])?
bool is_label(std::string_view text) {
  return !text.empty() && is_lower_alphanumeric(text.front()) &&
         is_lower_alphanumeric(text.back()) && std::all_of(text.begin(), text.end(), [](char c) {
           return is_lower_alphanumeric(c) || c == '-';
         });
}

bool is_subdomain(std::string_view text) {
  for (;;) {
    const std::size_t dot = text.find('.');
    if (!is_label(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

// ([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]
bool is_qualified(std::string_view text) {
  return !text.empty() && is_alphanumeric(text.front()) && is_alphanumeric(text.back()) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

Problems dns1123_label(std::string_view text) {
  Problems out;
  if (text.size() > kLabelLength) out.push_back(too_long(kLabelLength));
  if (is_label(text)) return out;
  if (is_subdomain(text)) {
    out.emplace_back("must not contain dots");
  } else {
    out.push_back(regex_problem(
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
        "must start and end with an alphanumeric character",
        "[a-z0-9]([-a-z0-9]*[a-z0-9])?", {"my-name", "123-abc"}));
  }
  return out;
}

Problems dns1123_subdomain(std::string_view text) {
  Problems out;
  if (text.size() > kSubdomainLength) out.push_back(too_long(kSubdomainLength));
  if (!is_subdomain(text))
    out.push_back(regex_problem(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
        "'.', and must start and end with an alphanumeric character",
        "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*", {"example.com"}));
  return out;
}

Problems dns1035_label(std::string_view text) {
  Problems out;
  if (text.size() > kLabelLength) out.push_back(too_long(kLabelLength));
  if (!is_label(text) || !is_lower(text.front()))
    out.push_back(
        regex_problem("a DNS-1035 label must consist of lower case alphanumeric characters or '-', "
                      "start with an alphabetic character, and end with an alphanumeric character",
                      "[a-z]([-a-z0-9]*[a-z0-9])?", {"my-name", "abc-123"}));
  return out;
}

// A prefix may end with a dash, since more text will follow.
std::string completed(std::string_view prefix) {
  if (prefix.size() < 2 || !prefix.ends_with('-')) return std::string(prefix);
  return std::string(prefix.substr(0, prefix.size() - 2)) + "a";
}

Problems dns1123_label_prefix(std::string_view text) { return dns1123_label(completed(text)); }
Problems dns1123_subdomain_prefix(std::string_view text) {
  return dns1123_subdomain(completed(text));
}
Problems dns1035_label_prefix(std::string_view text) { return dns1035_label(completed(text)); }

std::string qualified_problem() {
  return regex_problem(
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
      "alphanumeric character",
      "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]", {"MyName", "my.name", "123-abc"});
}

Problems qualified_name(std::string_view text) {
  Problems out;
  std::string_view name = text;
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    const std::string_view prefix = text.substr(0, slash);
    name = text.substr(slash + 1);
    if (name.find('/') != std::string_view::npos) {
      out.push_back("a qualified name " + qualified_problem() +
                    " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
      return out;
    }
    if (prefix.empty()) {
      out.emplace_back("prefix part must be non-empty");
    } else {
      for (const std::string& problem : dns1123_subdomain(prefix))
        out.push_back("prefix part " + problem);
    }
  }
  if (name.empty()) {
    out.emplace_back("name part must be non-empty");
  } else if (name.size() > kLabelLength) {
    out.push_back("name part " + too_long(kLabelLength));
  }
  if (!is_qualified(name)) out.push_back("name part " + qualified_problem());
  return out;
}

Problems label_value(std::string_view text) {
  Problems out;
  if (text.size() > kLabelLength) out.push_back(too_long(kLabelLength));
  if (!text.empty() && !is_qualified(text))
    out.push_back(regex_problem(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
        "'.', and must start and end with an alphanumeric character",
        "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?", {"MyValue", "my_value", "12345"}));
  return out;
}

Problems uri(std::string_view text) {
  std::string error;
  if (parse_url(text, error)) return {};
  return {error};
}

Problems uuid(std::string_view text) {
  std::string digits;
  bool ok = true;
  for (const char c : text) {
    if (c == '-') continue;
    digits += c;
    const char lower = static_cast<char>(c | 0x20);
    ok = ok && (is_digit(c) || (lower >= 'a' && lower <= 'f'));
  }
  // With dashes in the right places, or without dashes.
  const bool placed = text.size() == 32 || (text.size() == 36 && text[8] == '-' &&
                                            text[13] == '-' && text[18] == '-' && text[23] == '-');
  if (ok && placed && digits.size() == 32) return {};
  return {"does not match the UUID format"};
}

Problems byte(std::string_view text) {
  std::string bytes;
  if (base64_decode(text, bytes)) return {};
  return {"invalid base64"};
}

Problems date(std::string_view text) {
  const std::string time = std::string(text) + "T00:00:00Z";
  if (text.size() == 10 && !cel::parse_timestamp(time).is_error()) return {};
  return {"invalid date"};
}

Problems datetime(std::string_view text) {
  if (!cel::parse_timestamp(text).is_error()) return {};
  return {"invalid datetime"};
}

constexpr NamedFormat kFormats[] = {
    {"dns1123Label", dns1123_label},
    {"dns1123Subdomain", dns1123_subdomain},
    {"dns1035Label", dns1035_label},
    {"qualifiedName", qualified_name},
    {"dns1123LabelPrefix", dns1123_label_prefix},
    {"dns1123SubdomainPrefix", dns1123_subdomain_prefix},
    {"dns1035LabelPrefix", dns1035_label_prefix},
    {"labelValue", label_value},
    {"uri", uri},
    {"uuid", uuid},
    {"byte", byte},
    {"date", date},
    {"datetime", datetime},
};

}  // namespace

std::span<const NamedFormat> named_formats() { return kFormats; }

}  // namespace portico::cel_lib::internal
