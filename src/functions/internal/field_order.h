// The order in which kyaml writes the fields of a resource.
#pragma once

#include <cstddef>
#include <map>
#include <string_view>

namespace portico::functions {

class FieldOrder {
 public:
  FieldOrder();
  /// Known names come first, in kyaml's order; other names are sorted by bytes.
  bool before(std::string_view a, std::string_view b) const;

 private:
  std::map<std::string_view, std::size_t> ranks_;
};

}  // namespace portico::functions
