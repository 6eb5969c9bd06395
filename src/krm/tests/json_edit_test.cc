// A JSON document stays JSON after any edit.
#include <gtest/gtest.h>

#include <random>

#include "json/text.h"
#include "krm/object.h"

namespace portico::krm {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t limit) { return engine_() % limit; }
  template <class... Items>
  const char* one_of(Items... items) {
    const char* const all[] = {items...};
    return all[below(sizeof...(items))];
  }

  std::string name() {
    return one_of("a", "b", "name", "labels", "a/b", "true", "1", "", " ", "#", "k: v", "\"", "\\",
                  "é", "~", "null", "-", "?", "x\ty", "\n", "\xe2\x80\xa8", "\xf0\x9f\x98\x80");
  }

  json::Value scalar() {
    switch (below(8)) {
      case 0:
        return json::Value();
      case 1:
        return json::Value(below(2) == 0);
      case 2:
        return json::Value(static_cast<std::int64_t>(below(1000)));
      case 3:
        return json::Value(0.5);
      case 4:
        return json::Value("two\nlines\n");
      case 5:
        return json::Value(one_of("yes", "0x10", "1e3", ".inf", "12:30", "2020-01-01", "=", "<<"));
      default:
        return json::Value(name());
    }
  }

  json::Value value(int depth) {
    const std::size_t kind = depth == 0 ? 0 : below(4);
    if (kind == 1) {
      std::vector<json::Value> items;
      for (std::size_t i = below(4); i > 0; --i) items.push_back(value(depth - 1));
      return json::Value::array(std::move(items));
    }
    if (kind >= 2) return map(depth);
    return scalar();
  }

  json::Value map(int depth) {
    json::Value out = json::Value::object({});
    for (std::size_t i = below(4); i > 0; --i) out = out.with(name(), value(depth - 1));
    return out;
  }

  /// JSON with random blanks, line breaks and escapes.
  std::string text(const json::Value& value) {
    if (value.is_object()) {
      std::string out = "{" + space();
      bool first = true;
      for (const json::Member& member : value.members()) {
        if (!first) out += "," + space();
        first = false;
        out += json::print(json::Value(member.name())) + below_space() + ":" + space() +
               text(member.value) + space();
      }
      return out + "}";
    }
    if (value.is_array()) {
      std::string out = "[" + space();
      for (std::size_t i = 0; i < value.size(); ++i)
        out += (i == 0 ? "" : "," + space()) + text(value[i]) + space();
      return out + "]";
    }
    return json::print(value);
  }

 private:
  std::string below_space() { return one_of("", "", " "); }
  std::string space() { return one_of("", "", " ", "\n", "\n  ", "\n\t", "\r\n    ", "\n\n"); }
  std::mt19937 engine_;
};

void collect(const json::Value& value, Path& path, std::vector<Path>& out) {
  if (!path.empty()) out.push_back(path);
  for (const json::Member& member : value.members()) {
    path.emplace_back(std::string(member.name()));
    collect(member.value, path, out);
    path.pop_back();
  }
  for (std::size_t i = 0; i < value.items().size(); ++i) {
    path.emplace_back(i);
    collect(value.items()[i], path, out);
    path.pop_back();
  }
}

Result<Done> change(Random& random, Object& object, const Object& other) {
  Path path;
  std::vector<Path> paths;
  collect(object.value(), path, paths);
  path = paths.empty() ? Path() : paths[random.below(paths.size())];
  std::vector<Path> others;
  Path from;
  collect(other.value(), from, others);
  switch (random.below(6)) {
    case 0:
      return object.set(path, random.value(2));
    case 1:
      return object.remove(path);
    case 2:
      if (path.empty() || !std::holds_alternative<std::string>(path.back())) return Done{};
      return object.rename(path, random.name());
    case 3:
      path.emplace_back(random.name());
      return object.set(path, random.value(2));
    case 4:
      return object.update(random.map(3).with("apiVersion", json::Value("v1")));
    default: {
      if (others.empty()) return Done{};
      Edit edit;
      edit.path = path;
      edit.path.emplace_back(random.name());
      edit.from = &other;
      edit.from_path = others[random.below(others.size())];
      return object.edit({edit});
    }
  }
}

TEST(JsonEdits, LeaveJson) {
  const auto yaml = *Object::parse(
      "# head\na: &x [b, 'c', \"d\"] # line\nm:\n  # in\n  k: |\n    text\n  'q': >-\n    folded\n "
      "   on\n"
      "list:\n- 1\n- x: y # c\n- 0o7\nn: ~\nt: 0x1F\n");
  std::size_t done = 0;
  for (unsigned seed = 0; seed < 4'000; ++seed) {
    Random random(seed);
    const std::string before = random.text(
        random.map(4).with("apiVersion", json::Value("v1")).with("kind", json::Value("K")));
    auto object = Object::parse(before);
    ASSERT_TRUE(object) << before << object.error().text();
    // "{}" may be either YAML or JSON.
    for (int i = 0; i < 4 && !object->value().empty(); ++i) {
      const std::string was = object->text();
      if (!change(random, *object, yaml)) continue;
      ++done;
      const auto read = json::parse(object->text());
      ASSERT_TRUE(read) << "seed " << seed << ": " << read.error().text() << "\n"
                        << was << "\n---\n"
                        << object->text();
      ASSERT_EQ(*read, object->value()) << "seed " << seed << "\n"
                                        << was << "\n---\n"
                                        << object->text();
    }
  }
  EXPECT_GT(done, 10'000u);
}

}  // namespace
}  // namespace portico::krm
