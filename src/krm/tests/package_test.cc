#include "krm/package.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "krm/object.h"

namespace portico::krm {
namespace {

const void* place_of_value(const File& file) { return &file.objects()->front().value(); }

TEST(File, IsReadOnceForAllItsCopies) {
  const File file("apiVersion: v1\nkind: ConfigMap\n");
  const File copy = file;  // NOLINT(performance-unnecessary-copy-initialization): what is tested
  EXPECT_EQ(place_of_value(file), place_of_value(copy));
  EXPECT_NE(place_of_value(file), place_of_value(file.unread()));
  EXPECT_EQ(&file.text(), &file.unread().text()) << "the bytes are shared all the same";
  EXPECT_EQ(file, file.unread());
}

TEST(File, IsReadBySeveralThreadsAtOnce) {
  const File file("a: 1\n---\nb: 2\n");
  std::vector<const void*> places(8);
  {
    std::vector<std::jthread> threads;
    for (const void*& place : places) threads.emplace_back([&] { place = place_of_value(file); });
  }
  for (const void* place : places) EXPECT_EQ(place, places.front());
}

TEST(File, SaysEachTimeWhatIsWrong) {
  const File broken("a: [\n");
  EXPECT_FALSE(broken.objects());
  EXPECT_EQ(broken.objects().error().text(), Object::parse_file(broken.text()).error().text());
  const File two("a: 1\n---\nb: 2\n");
  EXPECT_EQ(two.object().error().text(), Object::parse(two.text()).error().text());
  EXPECT_EQ(File("a: 1\n").object()->value()["a"].as_int(), 1);
}

}  // namespace
}  // namespace portico::krm
