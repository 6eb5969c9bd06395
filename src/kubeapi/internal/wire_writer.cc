#include "kubeapi/internal/wire_writer.h"

#include <bit>

namespace portico::kubeapi {

void WireWriter::varint(std::uint64_t value) {
  while (value >= 0x80) {
    bytes_ += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  bytes_ += static_cast<char>(value);
}

void WireWriter::number(std::uint32_t field, std::uint64_t value) {
  tag(field, 0);
  varint(value);
}

void WireWriter::real(std::uint32_t field, double value) {
  tag(field, 1);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (unsigned i = 0; i < sizeof bits; ++i) bytes_ += static_cast<char>(bits >> (8 * i));
}

void WireWriter::text(std::uint32_t field, std::string_view bytes) {
  tag(field, 2);
  varint(bytes.size());
  bytes_ += bytes;
}

}  // namespace portico::kubeapi
