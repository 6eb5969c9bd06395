// What a Repository object says of the packages in it.
#pragma once

#include <string>

#include "base/result.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::packages {

struct Home {
  std::string ns, repository;
  std::string branch = "main";  // the registered branch: what it holds is published
  bool deployment = false;
  std::string uid{};  // of the Repository object; "" where it is not stored
};

Home home_of(const json::Value& repository);
/// kNotFound where there is no such Repository.
Result<Home> home_of(const registry::Registry& registry, const std::string& ns,
                     const std::string& repository);

}  // namespace portico::packages
