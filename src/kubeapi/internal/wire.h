// The wire format of protobuf: numbered fields of four forms. Pure.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace portico::kubeapi {

struct WireField {
  enum class Form { kVarint, kFixed64, kBytes, kFixed32 };
  std::uint32_t number = 0;
  Form form = Form::kVarint;
  std::uint64_t value = 0;  // of a number, as it was sent
  std::string_view bytes;   // of kBytes: points into what is read
};

/// Reads a message field by field. What was read last is valid as long as the text.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : left_(bytes) {}

  bool done() const { return left_.empty(); }
  /// kInvalid for what is cut off, a number that does not fit into 64 bits, a field 0, and the
  /// groups of protobuf 2, which Kubernetes does not use.
  Result<WireField> next();

 private:
  Result<std::uint64_t> varint();
  Result<std::uint64_t> fixed(std::size_t size);

  std::string_view left_;
};

}  // namespace portico::kubeapi
