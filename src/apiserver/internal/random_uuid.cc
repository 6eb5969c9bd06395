#include "apiserver/internal/random_uuid.h"

#include <fmt/format.h>

#include <random>

namespace portico::apiserver {

std::string random_uuid() {
  std::random_device random;
  const std::uint32_t a = random(), b = random(), c = random(), d = random();
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:x}{:03x}-{:04x}{:08x}", a, b >> 16, b & 0xfff,
                     8 + ((c >> 30) & 3), c & 0xfff, (c >> 12) & 0xffff, d);
}

}  // namespace portico::apiserver
