// Writes protobuf messages. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace portico::kubeapi {

/// The fields of one message, in the order in which they are added. The writer does not omit
/// default values; callers may.
class WireWriter {
 public:
  void number(std::uint32_t field, std::uint64_t value);
  void real(std::uint32_t field, double value);
  void text(std::uint32_t field, std::string_view bytes);
  /// A nested message.
  void message(std::uint32_t field, const WireWriter& inner) { text(field, inner.bytes_); }

  const std::string& bytes() const { return bytes_; }
  std::string take() && { return std::move(bytes_); }

 private:
  void varint(std::uint64_t value);
  void tag(std::uint32_t field, unsigned form) { varint(std::uint64_t{field} << 3 | form); }

  std::string bytes_;
};

}  // namespace portico::kubeapi
