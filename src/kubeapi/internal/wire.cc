#include "kubeapi/internal/wire.h"

#include <limits>

namespace portico::kubeapi {

namespace {

// The error text of Go's library, which clients show.
Error cut_off() { return invalid("unexpected EOF"); }

}  // namespace

Result<std::uint64_t> WireReader::varint() {
  constexpr int kBits = 64, kGroup = 7;
  std::uint64_t out = 0;
  for (int shift = 0; shift < kBits; shift += kGroup) {
    if (left_.empty()) return cut_off();
    const auto byte = static_cast<unsigned char>(left_.front());
    left_.remove_prefix(1);
    if (shift == kBits - 1 && byte > 1) break;
    out |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return out;
  }
  return invalid("proto: integer overflow");
}

Result<std::uint64_t> WireReader::fixed(std::size_t size) {
  if (left_.size() < size) return cut_off();
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < size; ++i)
    out |= static_cast<std::uint64_t>(static_cast<unsigned char>(left_[i])) << (8 * i);
  left_.remove_prefix(size);
  return out;
}

Result<WireField> WireReader::next() {
  PORTICO_TRY(const std::uint64_t tag, varint());
  WireField out;
  if (tag >> 3 == 0 || tag >> 3 > std::numeric_limits<std::uint32_t>::max() >> 3)
    return invalid("proto: illegal tag {} (wire type {})", tag >> 3, tag & 7);
  out.number = static_cast<std::uint32_t>(tag >> 3);
  switch (tag & 7) {
    case 0: {
      PORTICO_TRY(out.value, varint());
      return out;
    }
    case 1: {
      out.form = WireField::Form::kFixed64;
      PORTICO_TRY(out.value, fixed(8));
      return out;
    }
    case 2: {
      out.form = WireField::Form::kBytes;
      PORTICO_TRY(const std::uint64_t size, varint());
      if (size > left_.size()) return cut_off();
      out.bytes = left_.substr(0, static_cast<std::size_t>(size));
      left_.remove_prefix(out.bytes.size());
      return out;
    }
    case 5: {
      out.form = WireField::Form::kFixed32;
      PORTICO_TRY(out.value, fixed(4));
      return out;
    }
    default:
      return invalid("proto: illegal wireType {}", tag & 7);
  }
}

}  // namespace portico::kubeapi
