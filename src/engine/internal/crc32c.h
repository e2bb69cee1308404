// The checksum of RocksDB's logs (CRC-32C), which RocksDB keeps to itself.
#pragma once

#include <cstdint>
#include <string_view>

namespace cairn::engine::internal {

uint32_t Crc32c(std::string_view bytes);

}  // namespace cairn::engine::internal
