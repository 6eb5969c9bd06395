// The contents of an Env.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cel/env.h"
#include "cel/library.h"

namespace portico::cel::internal {

template <class T>
using ByName = std::map<std::string, T, std::less<>>;

struct Language {
  Options options;
  bool optional_syntax = false;
  ByName<Type> variables;
  ByName<Value> constants;
  ByName<Type> types;
  ByName<ByName<Type>> structures;  // the fields of messages
  ByName<Function> functions;
  ByName<std::vector<Macro>> macros;
  std::multimap<std::string, Validator, std::less<>> validators;
  std::set<std::string, std::less<>> mixed_literals;

  const Macro* find_macro(std::string_view name, std::size_t args, bool member) const;
};

/// The names that `name` can mean in `container`, innermost first; only `name` itself if absolute.
std::vector<std::string> candidates(std::string_view container, std::string_view name,
                                    bool absolute);

/// has, all, exists, exists_one, map, filter.
std::vector<Macro> standard_macros();

}  // namespace portico::cel::internal
