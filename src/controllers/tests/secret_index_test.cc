#include "controllers/secret_index.h"

#include <gmock/gmock.h>

#include "api/kinds.h"

namespace portico::controllers {
namespace {

using json::Value;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

krm::ObjectKey repository(const std::string& ns, const std::string& name) {
  return {{std::string(api::kConfigGroup), std::string(api::kRepositoryKind)}, ns, name};
}

Value reading(const std::string& secret) {
  return Value::object().with_at({"spec", "git", "secretRef", "name"}, secret);
}

Value object(const char* kind, const std::string& ns, const std::string& name) {
  return Value::object({{"apiVersion", "v1"}, {"kind", kind}})
      .with_at({"metadata", "namespace"}, ns)
      .with_at({"metadata", "name"}, name);
}

TEST(SecretIndex, FindsTheReadersOfASecret) {
  SecretIndex index;
  index.put(repository("a", "one"), reading("s"));
  index.put(repository("a", "two"), reading("s"));
  index.put(repository("a", "three"), reading("t"));
  index.put(repository("a", "open"), Value::object());
  index.put(repository("b", "one"), reading("s"));
  EXPECT_THAT(index.concerned(object("Secret", "a", "s")),
              ElementsAre(repository("a", "one"), repository("a", "two")));
  EXPECT_THAT(index.concerned(object("Secret", "b", "s")), ElementsAre(repository("b", "one")));
  EXPECT_THAT(index.concerned(object("Secret", "b", "t")), IsEmpty());
  EXPECT_THAT(index.concerned(object("ConfigMap", "a", "s")), IsEmpty());
}

TEST(SecretIndex, ForgetsWhatARepositoryReadBefore) {
  SecretIndex index;
  index.put(repository("a", "one"), reading("s"));
  index.put(repository("a", "one"), reading("t"));
  EXPECT_THAT(index.concerned(object("Secret", "a", "s")), IsEmpty());
  EXPECT_THAT(index.concerned(object("Secret", "a", "t")), ElementsAre(repository("a", "one")));
  index.put(repository("a", "one"), Value());
  EXPECT_THAT(index.concerned(object("Secret", "a", "t")), IsEmpty());
}

}  // namespace
}  // namespace portico::controllers
