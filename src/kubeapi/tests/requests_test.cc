#include <gtest/gtest.h>

#include "json/text.h"
#include "kubeapi/accept.h"
#include "kubeapi/options.h"
#include "kubeapi/request_info.h"
#include "kubeapi/resource_type.h"
#include "kubeapi/selector.h"
#include "testing/cases.h"

namespace portico::kubeapi {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string shown(const StatusError& refusal) {
  return fmt::format("{} {} {}", refusal.code, refusal.reason.empty() ? "-" : refusal.reason,
                     refusal.message);
}

std::string info_text(const std::string& line) {
  const std::size_t blank = line.find(' ');
  const std::string method = line.substr(0, blank), target = line.substr(blank + 1);
  const std::size_t mark = target.find('?');
  const auto query = http::Query::parse(mark == std::string::npos ? "" : target.substr(mark + 1));
  if (!query) return query.error().text();
  const auto info = request_info(method, target.substr(0, mark), *query);
  if (!info) return info.error().text();
  if (!info->is_resource) return fmt::format("{} of path {}", info->verb, info->path);
  std::string rest;
  for (const std::string& part : info->rest) rest += "/" + part;
  return fmt::format("{} {}/{} {} sub={} ns={} name={}{}", info->verb,
                     info->group.empty() ? "core" : info->group, info->version, info->resource,
                     info->subresource, info->ns, info->name, rest.empty() ? "" : " rest=" + rest);
}

std::string accept_text(const std::string& line) {
  const auto form = negotiate(line, {.protobuf = false, .forms = true, .group_discovery = true});
  if (!form) return shown(form.error());
  static constexpr const char* kShapes[] = {"as it is", "Table", "PartialObjectMetadata",
                                            "PartialObjectMetadataList", "APIGroupDiscoveryList"};
  return fmt::format("{}: {} {}", form->content_type,
                     kShapes[static_cast<std::size_t>(form->shape)], form->version);
}

// "labels SELECTOR" or "fields SELECTOR" for config maps; shows which of some objects match.
std::string selector_text(const std::string& line) {
  static const Catalog kCatalog = builtin_catalog();
  const auto type = kCatalog.find("", "v1", "configmaps");
  const std::size_t blank = line.find(' ');
  const std::string kind = line.substr(0, blank);
  const std::string text = blank == std::string::npos ? "" : line.substr(blank + 1);
  const auto filter = Filter::parse(kind == "labels" ? text : "", kind == "fields" ? text : "",
                                    *type, *type->version("v1"));
  if (!filter) return shown(filter.error());
  std::string out;
  for (const char* object :
       {R"({"metadata":{"name":"a","namespace":"x","labels":{"app":"web","n":"3"}}})",
        R"({"metadata":{"name":"b","namespace":"y","labels":{"app":"db","n":"10"}}})",
        R"({"metadata":{"name":"c","namespace":"x"}})"}) {
    const json::Value value = *json::parse(object);
    const std::string name(krm::name_of(value));
    if (filter->labels().matches_object(value) && filter->matches_rest(value) &&
        (filter->name().empty() || filter->name() == name) &&
        (filter->ns().empty() || filter->ns() == krm::namespace_of(value)))
      out += (out.empty() ? "" : " ") + name;
  }
  return out.empty() ? "nothing" : out;
}

std::string list_text(const std::string& line) {
  const bool watch = line.starts_with("watch ");
  const auto query = http::Query::parse(std::string_view(line).substr(line.find(' ') + 1));
  if (!query) return query.error().text();
  const auto options = list_options(*query, watch);
  if (!options) return shown(options.error());
  return fmt::format("version={} match={} limit={} continue={} timeout={}{}{}",
                     options->version ? std::to_string(*options->version) : "-",
                     static_cast<int>(options->match), options->limit, options->continue_token,
                     options->timeout_seconds.value_or(-1), options->bookmarks ? " bookmarks" : "",
                     options->initial_events ? " initial" : "");
}

class Requests : public ::testing::TestWithParam<portico::testing::Case> {};

// Each line of section `input`, followed in `want` by its result.
TEST_P(Requests, AreReadAsKubernetesDoes) {
  const auto& one = GetParam();
  const std::string about = one["about"].substr(0, one["about"].find('\n'));
  std::string have;
  for (const std::string& line : lines_of(one["input"])) {
    have += about == "request"    ? info_text(line)
            : about == "accept"   ? accept_text(line)
            : about == "selector" ? selector_text(line)
                                  : list_text(line);
    have += '\n';
  }
  one.expect("want", have);
}
INSTANTIATE_TEST_SUITE_P(
    Data, Requests, ::testing::ValuesIn(portico::testing::cases("kubeapi/tests/data/requests")),
    portico::testing::case_name);

// Clients ask for the server's preferred version, whatever version the object was written in.
TEST(Filter, FindsEventsOfOursByAnyVersion) {
  static const Catalog kCatalog = builtin_catalog();
  const auto type = kCatalog.find("", "v1", "events");
  const auto found = [&](const char* selector, const char* version) {
    const auto filter = Filter::parse("", selector, *type, *type->version("v1"));
    const json::Value about = json::Value::object({{"apiVersion", version}, {"name", "web"}});
    return filter && filter->matches_rest(json::Value::object({{"involvedObject", about}}));
  };
  constexpr const char* kOurs = "involvedObject.apiVersion=config.porch.kpt.dev/v1alpha2";
  EXPECT_TRUE(found(kOurs, "config.porch.kpt.dev/v1alpha1"));
  EXPECT_TRUE(found(kOurs, "config.porch.kpt.dev/v1alpha2"));
  EXPECT_FALSE(found(kOurs, "example.com/v1alpha2"));
  EXPECT_FALSE(found("involvedObject.apiVersion!=config.porch.kpt.dev/v1alpha2",
                     "config.porch.kpt.dev/v1alpha1"));
  constexpr const char* kOthers = "regarding.apiVersion=example.com/v2";
  EXPECT_TRUE(found(kOthers, "example.com/v2"));
  EXPECT_FALSE(found(kOthers, "example.com/v1"));
  EXPECT_FALSE(found("involvedObject.apiVersion=v1", "apps/v1"));
}

TEST(Catalog, OrdersVersionsAsKubernetesDoes) {
  std::vector<std::string> versions = {"v1alpha1", "foo10", "v2",  "v1beta1", "v11alpha2",
                                       "foo1",     "v1",    "v10", "v3beta1", "v12alpha1"};
  std::sort(versions.begin(), versions.end(), version_before);
  EXPECT_EQ(versions,
            (std::vector<std::string>{"v10", "v2", "v1", "v3beta1", "v1beta1", "v12alpha1",
                                      "v11alpha2", "v1alpha1", "foo1", "foo10"}));
}

TEST(Catalog, FindsAResourceByWhatItIsCalled) {
  const Catalog catalog = builtin_catalog();
  EXPECT_NE(catalog.find("", "v1", "configmaps"), nullptr);
  EXPECT_EQ(catalog.find("", "v2", "configmaps"), nullptr);
  EXPECT_EQ(catalog.find({"config.porch.kpt.dev", "PackageVariant"})->names.plural,
            "packagevariants");
  EXPECT_EQ(catalog.versions("config.porch.kpt.dev").front(), "v1alpha2");
  EXPECT_EQ(catalog.without("", "secrets").find("", "v1", "secrets"), nullptr);
  EXPECT_NE(catalog.find("", "v1", "secrets"), nullptr) << "the copy changed, not this one";
}

}  // namespace
}  // namespace portico::kubeapi
