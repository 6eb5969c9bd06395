// Values and broken texts for property tests, identical in every run.
#pragma once

#include <array>
#include <random>
#include <string>
#include <vector>

#include "json/value.h"

namespace portico::json {

class RandomValues {
 public:
  explicit RandomValues(unsigned seed) : random_(seed) {}

  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  Value value(int depth = 0) {
    switch (pick(depth < 5 ? 9 : 7)) {
      case 0:
        return {};
      case 1:
        return pick(2) == 0;
      case 2:
        return static_cast<std::int64_t>(random_()) >> pick(64);
      case 3:
        return std::uint64_t{random_() | (1ull << 63)};
      case 4:
        return real();
      case 5:
      case 6:
        return text();
      case 7: {
        std::vector<Value> items;
        for (int left = pick(5); left > 0; --left) items.push_back(value(depth + 1));
        return Value::array(std::move(items));
      }
      default: {
        std::vector<Member> members;
        for (int left = pick(5); left > 0; --left) members.push_back({text(), value(depth + 1)});
        return Value::object(std::move(members));
      }
    }
  }

  /// Any finite double: random bits, or a short one.
  double real() {
    if (pick(2) == 0) return static_cast<double>(pick(2000) - 1000) / 8;
    for (;;) {
      const std::uint64_t bits = random_();
      double out;
      static_assert(sizeof out == sizeof bits);
      std::memcpy(&out, &bits, sizeof out);
      if (out - out == 0) return out;
    }
  }

  std::string text() {
    constexpr std::array<std::string_view, 12> kParts = {
        "a",    "key", "\"", "\\",         "\n", std::string_view("\0", 1),
        "\x1f", "é",   "€",  "\U0001f600", "/",  "sixteen letters!"};
    std::string out;
    for (int left = pick(6); left > 0; --left) out += kParts[static_cast<std::size_t>(pick(12))];
    return out;
  }

  /// `text` with a few bytes removed, duplicated or replaced.
  std::string broken(std::string text) {
    constexpr std::string_view kBytes = "{}[],:\"\\0123e.-+ tfn\x80\xff\x01";
    for (int left = 1 + pick(3); left > 0 && !text.empty(); --left) {
      const auto at = static_cast<std::size_t>(pick(static_cast<int>(text.size())));
      const char byte = kBytes[static_cast<std::size_t>(pick(static_cast<int>(kBytes.size())))];
      switch (pick(4)) {
        case 0:
          text.erase(at, 1);
          break;
        case 1:
          text.insert(at, 1, byte);
          break;
        case 2:
          text[at] = byte;
          break;
        default:
          text.insert(at, text.substr(at, static_cast<std::size_t>(pick(4))));
          break;
      }
    }
    return text;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace portico::json
