// Reads through a copy never return a state older than its own writes, however late the watch is,
// and eventually reach the API's state, even where versions have no order.
#include "cluster/internal/copy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <optional>

namespace portico::cluster {
namespace {

using json::Value;

const krm::GroupKind kKind{"", "ConfigMap"};

Value object_of(const std::string& name, int version, const std::string& uid, int data) {
  return Value::object({{"apiVersion", "v1"},
                        {"kind", "ConfigMap"},
                        {"metadata", Value::object({{"name", name},
                                                    {"namespace", "default"},
                                                    {"uid", uid},
                                                    {"resourceVersion", std::to_string(version)}})},
                        {"data", data}});
}

krm::ObjectKey key_of(const std::string& name) { return {kKind, "default", name}; }

// An API whose watch and responses are late, but each in order.
struct Server {
  struct Told {
    std::string name;
    Value object;  // null: it is deleted
    Value last;
    int version = 0;
  };
  std::map<std::string, Value> objects;
  std::deque<Told> watch;
  int version = 0, uids = 0;

  void write(const std::string& name, int data) {
    const auto at = objects.find(name);
    const std::string uid =
        at == objects.end() ? std::to_string(++uids) : std::string(krm::uid_of(at->second));
    ++version;
    objects[name] = object_of(name, version, uid, data);
    watch.push_back({name, objects[name], {}, version});
  }
  void remove(const std::string& name) {
    const Value last = objects[name];
    objects.erase(name);
    ++version;
    watch.push_back({name,
                     {},
                     last.with_at({"metadata", "resourceVersion"}, std::to_string(version)),
                     version});
  }
};

RC_GTEST_PROP(Copy, NeverGoesBack, ()) {
  Server server;
  Copy copy({}, 1000);
  std::map<std::string, int> least;  // the minimum version that reads of a name must return
  const auto tell = [&](std::size_t count) {
    for (; count > 0 && !server.watch.empty(); --count) {
      const Server::Told observed = server.watch.front();
      server.watch.pop_front();
      const std::string version = std::to_string(observed.version);
      if (observed.object.is_null())
        copy.observed_gone(key_of(observed.name), observed.last, version);
      else
        copy.observed(key_of(observed.name), observed.object, version);
    }
  };
  const int steps = *rc::gen::inRange(0, 60);
  for (int i = 0; i < steps; ++i) {
    const std::string name(1, static_cast<char>('a' + *rc::gen::inRange(0, 3)));
    const int data = *rc::gen::inRange(0, 3);
    switch (*rc::gen::inRange(0, 5)) {
      case 0:  // another client
        server.write(name, data);
        break;
      case 1:
        if (server.objects.contains(name)) server.remove(name);
        break;
      case 2: {  // our own write; the watch may be faster than the response
        server.write(name, data);
        const Value answer = server.objects[name];
        if (*rc::gen::arbitrary<bool>()) tell(*rc::gen::inRange<std::size_t>(0, 9));
        copy.wrote(key_of(name), answer, 0);
        least[name] = static_cast<int>(krm::resource_version_of(answer));
        break;
      }
      case 3:
        if (server.objects.contains(name)) {
          const Value last = server.objects[name];
          server.remove(name);
          if (*rc::gen::arbitrary<bool>()) tell(*rc::gen::inRange<std::size_t>(0, 9));
          copy.wrote_gone(key_of(name), last, 0);
        }
        break;
      default:
        tell(*rc::gen::inRange<std::size_t>(0, 9));
    }
    for (const auto& [of, version] : least)
      if (const Value* now = copy.state().table.find(key_of(of)))
        RC_ASSERT(krm::resource_version_of(*now) >= static_cast<std::uint64_t>(version));
  }
  tell(server.watch.size());
  std::map<std::string, Value> known;
  copy.state().table.each({.type = kKind}, registry::Selector(), nullptr, [&](const auto& item) {
    known.emplace(item.name, item.object);
    return true;
  });
  RC_ASSERT(known == server.objects);
}

// An API like Porch's: versions are commits, and an object that is created again has its former
// uid.
Value commit_of(const std::string& name, int version, int data) {
  return object_of(name, version, "uid of " + name, data)
      .with_at({"metadata", "resourceVersion"}, fmt::format("c0ffee{}", version));
}

struct Unordered {
  std::map<std::string, Value> objects;
  std::deque<std::pair<std::string, Value>> watch;  // a null object: it is deleted
  int version = 0;

  void write(const std::string& name, int data) {
    objects[name] = commit_of(name, ++version, data);
    watch.emplace_back(name, objects[name]);
  }
  void remove(const std::string& name) {
    objects.erase(name);
    watch.emplace_back(name, Value());
  }
};

RC_GTEST_PROP(Copy, EndsAtTheStateOfAnApiWithoutOrder, ()) {
  Unordered server;
  Copy copy({}, 1000);
  const auto entry = [&](const std::string& name) {
    const Value* const now = copy.state().table.find(key_of(name));
    return now == nullptr ? Value() : *now;
  };
  const auto tell = [&](std::size_t count) {
    for (; count > 0 && !server.watch.empty(); --count) {
      const auto [name, object] = server.watch.front();
      server.watch.pop_front();
      if (object.is_null())
        copy.observed_gone(key_of(name), commit_of(name, 0, 0), "");
      else
        copy.observed(key_of(name), object, "");
    }
  };
  const auto others_write = [&](const std::string& name) {
    const int data = *rc::gen::inRange(0, 4);
    if (data > 0)
      server.write(name, data);
    else if (server.objects.contains(name))
      server.remove(name);
  };
  const int steps = *rc::gen::inRange(0, 60);
  for (int i = 0; i < steps; ++i) {
    const std::string name(1, static_cast<char>('a' + *rc::gen::inRange(0, 2)));
    const registry::ResourceVersion since = copy.state().version();
    const auto meanwhile = [&] {
      for (int j = *rc::gen::inRange(0, 3); j > 0; --j) {
        others_write(name);
        tell(*rc::gen::inRange<std::size_t>(0, 4));
      }
    };
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        others_write(name);
        break;
      case 1: {  // our own write
        server.write(name, *rc::gen::inRange(0, 3));
        const Value answer = server.objects[name];
        meanwhile();
        if (copy.wrote(key_of(name), answer, since)) RC_ASSERT(!entry(name).is_null());
        break;
      }
      case 2:
        if (server.objects.contains(name)) {
          const Value last = server.objects[name];
          server.remove(name);
          meanwhile();
          copy.wrote_gone(key_of(name), last, since);
        }
        break;
      default:
        tell(*rc::gen::inRange<std::size_t>(0, 9));
    }
  }
  tell(server.watch.size());
  // A version alone may be an older one: a write with it conflicts, and the object is read again.
  std::map<std::string, Value> seen, wanted;
  copy.state().table.each({.type = kKind}, registry::Selector(), nullptr, [&](const auto& item) {
    seen.emplace(item.name, item.object["data"]);
    return true;
  });
  for (const auto& [name, object] : server.objects) wanted.emplace(name, object["data"]);
  RC_ASSERT(seen == wanted);
}

TEST(Copy, AResponseThatNothingOvertookIsShown) {
  Copy copy({}, 1000);
  EXPECT_TRUE(copy.wrote(key_of("a"), commit_of("a", 1, 1), 0));
  const auto since = copy.state().version();
  // Porch's versions do not change with the metadata.
  EXPECT_TRUE(copy.wrote(key_of("a"), commit_of("a", 1, 2), since));
  EXPECT_EQ((*copy.state().table.find(key_of("a")))["data"], Value(2));
  EXPECT_FALSE(copy.wrote(key_of("a"), commit_of("a", 1, 3), since));
  EXPECT_EQ((*copy.state().table.find(key_of("a")))["data"], Value(2));
}

TEST(Copy, AResponseAboutADeletedObjectIsNotShown) {
  Copy copy({}, 1000);
  copy.observed(key_of("a"), commit_of("a", 1, 1), "");
  copy.observed_gone(key_of("a"), commit_of("a", 1, 1), "");
  EXPECT_FALSE(copy.wrote(key_of("a"), commit_of("a", 1, 1), 0));
  EXPECT_EQ(copy.state().table.find(key_of("a")), nullptr);
  EXPECT_TRUE(copy.wrote(key_of("a"), commit_of("a", 2, 1), copy.state().version()));
  EXPECT_NE(copy.state().table.find(key_of("a")), nullptr) << "it was created again";
}

TEST(Copy, AnotherVersionAloneIsNoEvent) {
  Copy copy({}, 1000);
  copy.observed(key_of("a"), object_of("a", 1, "u", 7), "1");
  EXPECT_EQ(copy.state().version(), 1u);
  copy.observed(key_of("a"), object_of("a", 2, "u", 7), "2");
  EXPECT_EQ(copy.state().version(), 1u);
  EXPECT_EQ(krm::resource_version_of(*copy.state().table.find(key_of("a"))), 2u);
}

TEST(Copy, KeepsNoManagedFieldsAndEqualPartsOnce) {
  const auto managed = [](int version, const char* manager, int data) {
    return object_of("a", version, "u", data)
        .with_at({"metadata", "labels"}, Value::object({{"app.example.com/name", "a"}}))
        .with_at({"metadata", "managedFields"},
                 Value::array({Value::object({{"manager", manager}})}));
  };
  Copy copy({}, 1000);
  copy.observed(key_of("a"), managed(1, "kubectl", 7), "1");
  const Value first = *copy.state().table.find(key_of("a"));
  EXPECT_FALSE(first["metadata"].contains("managedFields"));

  copy.wrote(key_of("a"), managed(2, "another", 7), 0);
  EXPECT_EQ(copy.state().version(), 1u) << "who manages a field is no content";
  copy.observed(key_of("a"), managed(3, "another", 8), "3");
  const Value second = *copy.state().table.find(key_of("a"));
  EXPECT_TRUE(second["metadata"]["labels"].same_as(first["metadata"]["labels"]));

  copy.observed_gone(key_of("a"), managed(4, "another", 8), "4");
  const auto deletion = *copy.state().window.find(copy.state().version());
  EXPECT_FALSE(deletion->event.object["metadata"].contains("managedFields"));
}

// The CRD of another version may lack fields of the status.
TEST(Copy, ShowsAStatusAsItWasSent) {
  const auto with_status = [](int version, const Value& status) {
    return object_of("a", version, "u", 7).with("status", status);
  };
  const auto seen = [](const Copy& copy) {
    return (*copy.state().table.find(key_of("a")))["status"];
  };
  const Value sent = Value::object({{"known", 1}, {"unknown", 2}}),
              kept = Value::object({{"known", 1}});
  Copy copy({}, 1000);
  copy.observed(key_of("a"), with_status(1, Value::object()), "1");
  copy.wrote_status(key_of("a"), with_status(2, kept), sent, 0);
  EXPECT_EQ(seen(copy), sent);
  const auto version = copy.state().version();
  copy.observed(key_of("a"), with_status(2, kept), "2");
  copy.observed(key_of("a"), with_status(3, kept).with("data", 7), "3");
  EXPECT_EQ(seen(copy), sent);
  EXPECT_EQ(copy.state().version(), version) << "what was written is no news";
  const Value others = Value::object({{"known", 5}});
  copy.observed(key_of("a"), with_status(4, others), "4");
  EXPECT_EQ(seen(copy), others) << "somebody else's";
  copy.observed(key_of("a"), with_status(5, kept), "5");
  EXPECT_EQ(seen(copy), kept);

  copy.observed(key_of("a"), with_status(6, kept), "6");
  copy.wrote_status(key_of("a"), with_status(6, kept), sent, 0);
  EXPECT_EQ(seen(copy), sent) << "the watch was quicker";
}

TEST(Copy, KeepsSoManyEvents) {
  Copy copy({}, 3);
  for (int i = 1; i <= 10; ++i)
    copy.observed(key_of("a"), object_of("a", i, "u", i), std::to_string(i));
  EXPECT_EQ(copy.state().version(), 10u);
  EXPECT_EQ(copy.state().window.size(), 3u);
  EXPECT_FALSE(copy.state().check_kept(6).ok());
  EXPECT_TRUE(copy.state().check_kept(7).ok());
}

}  // namespace
}  // namespace portico::cluster
