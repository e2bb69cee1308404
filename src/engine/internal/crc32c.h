// The checksum of RocksDB's logs and files (CRC-32C), which RocksDB keeps to itself. Ours also takes the
// place of RocksDB's (cmake/libraries.cmake): Debian builds that for processors without the instruction for
// it.
#pragma once

#include <cstdint>
#include <string_view>

namespace cairn::engine::internal {

uint32_t Crc32c(std::string_view bytes);
// Of what `crc` is the checksum of, and these bytes behind it.
uint32_t ExtendCrc32c(uint32_t crc, std::string_view bytes);

}  // namespace cairn::engine::internal
