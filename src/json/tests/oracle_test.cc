// Uses Boost.JSON as an oracle for validity and meaning of JSON texts.
#include <gtest/gtest.h>

#include <boost/json/src.hpp>

#include "json/internal/careful_parser.h"
#include "json/tests/random_value.h"
#include "json/text.h"

namespace portico::json {
namespace {

Value from_boost(const boost::json::value& from) {
  switch (from.kind()) {
    case boost::json::kind::null:
      return {};
    case boost::json::kind::bool_:
      return from.get_bool();
    case boost::json::kind::int64:
      return from.get_int64();
    case boost::json::kind::uint64:
      return from.get_uint64();
    case boost::json::kind::double_:
      return from.get_double();
    case boost::json::kind::string: {
      const boost::json::string& text = from.get_string();
      return std::string_view(text.data(), text.size());
    }
    case boost::json::kind::array: {
      std::vector<Value> items;
      for (const auto& item : from.get_array()) items.push_back(from_boost(item));
      return Value::array(std::move(items));
    }
    case boost::json::kind::object: {
      std::vector<Member> members;
      for (const auto& [key, value] : from.get_object())
        members.push_back({std::string_view(key.data(), key.size()), from_boost(value)});
      return Value::object(std::move(members));
    }
  }
  return {};
}

/// nullopt if Boost rejects the text.
std::optional<Value> judge(const std::string& text) {
  boost::json::parse_options options;
  options.max_depth = 512;
  boost::json::error_code error;
  const boost::json::value value = boost::json::parse(text, error, {}, options);
  if (error) return std::nullopt;
  return from_boost(value);
}

/// Equal, except for a few units in the last place of doubles: Boost's parser of 1.81 does not
/// round correctly.
bool about_equal(const Value& a, const Value& b) {
  if (a.type() != b.type()) return false;
  if (a.type() == Value::Type::kDouble) {
    const double x = a.as_double(), y = b.as_double();
    return x == y || std::abs(x - y) <= 1e-14 * std::max(std::abs(x), std::abs(y)) ||
           (std::abs(x) < 1e-300 && std::abs(y) < 1e-300);
  }
  const auto same_item = [](const Value& x, const Value& y) { return about_equal(x, y); };
  const auto same_member = [](const Member& x, const Member& y) {
    return x.name() == y.name() && about_equal(x.value, y.value);
  };
  if (a.is_array()) return std::ranges::equal(a.items(), b.items(), same_item);
  if (a.is_object()) return std::ranges::equal(a.members(), b.members(), same_member);
  return a == b;
}

TEST(Oracle, UnderstandsWhatWePrint) {
  RandomValues random(1);
  for (int i = 0; i < 20'000; ++i) {
    const Value value = random.value();
    const std::string text = i % 2 == 0 ? print(value) : print_pretty(value, 2);
    const auto again = parse(text);
    ASSERT_TRUE(again) << text;
    ASSERT_EQ(*again, value) << text;
    const auto careful = parse_carefully(text, {});
    ASSERT_TRUE(careful) << text << careful.error().text();
    ASSERT_EQ(*careful, value) << text;
    const auto boost = judge(text);
    ASSERT_TRUE(boost) << text;
    ASSERT_TRUE(about_equal(*boost, value)) << text;
  }
}

TEST(Oracle, AgreesOnBrokenTexts) {
  RandomValues random(2);
  int refused = 0;
  for (int i = 0; i < 60'000; ++i) {
    const std::string text = random.broken(print(random.value()));
    const auto ours = parse(text);
    const auto careful = parse_carefully(text, {});
    ASSERT_EQ(ours.ok(), careful.ok()) << text;
    if (ours) {
      ASSERT_EQ(*ours, *careful) << text;
    }
    const auto boost = judge(text);
    // Boost reads numbers beyond all doubles as infinity.
    const bool too_large = !ours && ours.error().what.find("too large") != std::string::npos;
    ASSERT_EQ(ours.ok(), boost.has_value() && !too_large) << text;
    if (ours) {
      ASSERT_TRUE(about_equal(*boost, *ours)) << text;
    }
    refused += ours ? 0 : 1;
  }
  EXPECT_GT(refused, 10'000);
  EXPECT_LT(refused, 55'000);
}

}  // namespace
}  // namespace portico::json
