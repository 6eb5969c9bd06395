#include "api/internal/codec.h"

#include <charconv>

#include "api/refusal.h"
#include "base/spelling.h"
#include "json/text.h"

namespace portico::api::internal {

namespace {

constexpr std::size_t kMost = 100;  // limits the memory that a hostile object can use

std::string shown(const json::Value& value) {
  constexpr std::size_t kLongest = 60;
  std::string text = json::print(value);
  if (text.size() > kLongest) {
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    text.resize(end);
    text += "...";
  }
  return text;
}

}  // namespace

Error Reader::error() && { return refusal(std::move(wrong_)); }

void Reader::fail(std::string_view expected, const json::Value& found) {
  if (wrong_.size() >= kMost) return;
  const std::string place = path_.empty() ? "" : path_ + ": ";
  wrong_.push_back({"FieldValueTypeInvalid",
                    fmt::format("{}{}, found {}", place, expected, shown(found)), path_});
}

void Reader::warn(std::string what) {
  if (warnings_.size() < kMost) warnings_.push_back(path_ + ": " + std::move(what));
}

void Reader::report_unknown(std::string_view name, const std::vector<std::string_view>& known) {
  if (unknown_.size() >= kMost) return;
  const auto at = [&](std::string_view field) {
    return path_.empty() ? std::string(field) : fmt::format("{}.{}", path_, field);
  };
  std::string message = fmt::format("unknown field \"{}\"", at(name));
  if (const std::string_view meant = nearest(name, known); !meant.empty())
    message += fmt::format("; did you mean \"{}\"?", at(meant));
  unknown_.push_back({"FieldValueForbidden", std::move(message), at(name)});
}

void Reader::push(std::string_view name) {
  if (!path_.empty()) path_ += '.';
  path_ += name;
}

void Reader::push(std::size_t index) { path_ += '[' + std::to_string(index) + ']'; }

void Reader::read_text(const json::Value& value, std::string& out) {
  if (value.is_null()) return;
  if (!value.is_string()) return fail("must be a string", value);
  out = value.as_string();
}

void Reader::read_bool(const json::Value& value, bool& out) {
  if (!value.is_bool()) return fail("must be true or false", value);
  out = value.as_bool();
}

void Reader::read_int(const json::Value& value, std::int64_t& out) {
  if (!value.is_int()) return fail("must be a whole number", value);
  out = value.as_int();
}

void Reader::read_map(const json::Value& value, StringMap& out) {
  if (!value.is_object()) return fail("must be a map of strings", value);
  for (const json::Member& member : value.members()) {
    const std::size_t before = path_.size();
    push(member.name());
    read_text(member.value, out[std::string(member.name())]);
    path_.resize(before);
  }
}

void Reader::read_revision(const json::Value& value, std::optional<std::int64_t>& out) {
  std::int64_t number = 0;
  if (value.is_int()) {
    number = value.as_int();
  } else {
    if (!value.is_string()) return fail("must be a revision: 3, \"3\" or \"v3\"", value);
    std::string_view text = value.as_string();
    if (text.empty()) return;
    if (text.starts_with('v')) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
      return fail("must be a revision: 3, \"3\" or \"v3\" (a tag goes into \"tag\")", value);
  }
  if (number < -1 || number > 1'000'000'000) return fail("must be a revision of 1 or more", value);
  if (number != 0) out = number;
}

Result<Done> check_kind(const json::Value& value, std::string_view kind) {
  if (!value.is_object()) return invalid("must be an object, found {}", shown(value));
  const json::Value& found = value["kind"];
  if (!found.is_null() && found.as_string() != kind)
    return invalid("must be \"{}\", found {}", kind, shown(found)).in("kind");
  return Done{};
}

}  // namespace portico::api::internal
