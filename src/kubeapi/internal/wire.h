// The protobuf wire format: numbered fields of four wire types. Pure.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace portico::kubeapi {

struct WireField {
  enum class Form { kVarint, kFixed64, kBytes, kFixed32 };
  std::uint32_t number = 0;
  Form form = Form::kVarint;
  std::uint64_t value = 0;  // raw value of a numeric field
  std::string_view bytes;   // of kBytes: points into the input
};

/// Reads a message field by field. The fields point into the input, which must outlive them.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : left_(bytes) {}

  bool done() const { return left_.empty(); }
  /// kInvalid for truncated input, a number that does not fit into 64 bits, field number 0, and
  /// protobuf 2 groups, which Kubernetes does not use.
  Result<WireField> next();

 private:
  Result<std::uint64_t> varint();
  Result<std::uint64_t> fixed(std::size_t size);

  std::string_view left_;
};

}  // namespace portico::kubeapi
