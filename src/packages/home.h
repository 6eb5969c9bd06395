// The properties of a Repository object that its packages depend on.
#pragma once

#include <string>

#include "base/result.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::packages {

struct Home {
  std::string ns, repository;
  std::string branch = "main";  // the registered branch: its content is published
  bool deployment = false;
  std::string uid{};  // of the Repository object; "" if it is not stored
};

Home home_of(const json::Value& repository);
/// kNotFound if there is no such Repository.
Result<Home> home_of(const registry::Registry& registry, const std::string& ns,
                     const std::string& repository);

}  // namespace portico::packages
