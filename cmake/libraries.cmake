# The Debian packages Cairn is built on, each behind one target. tools/install names the packages.
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(simdjson REQUIRED)
find_package(GTest REQUIRED)
find_package(CLI11 REQUIRED)
find_package(CURL REQUIRED)

# CRC32 of answers.
add_library(cairn_deflate INTERFACE)
target_link_libraries(cairn_deflate INTERFACE libdeflate.a)

add_library(cairn_openssl INTERFACE)
target_link_libraries(cairn_openssl INTERFACE OpenSSL::Crypto)

# TLS of the listener; one file knows it (src/http/tls.cc).
add_library(cairn_tls INTERFACE)
target_link_libraries(cairn_tls INTERFACE OpenSSL::SSL OpenSSL::Crypto)

# Debian's static RocksDB 7.8.3 with the codecs it was built with: no shared-library lookups at start.
add_library(cairn_rocksdb INTERFACE)
target_link_libraries(cairn_rocksdb INTERFACE librocksdb.a snappy z bz2 lz4 zstd Threads::Threads dl)
# Its checksum is replaced by src/engine/internal/crc32c.cc, which uses the processor's instruction.
target_link_options(cairn_rocksdb INTERFACE LINKER:--wrap=_ZN7rocksdb6crc32c6ExtendEjPKcm)

# malloc of the programs: a sixth of the CPU of a write goes there with the C library's, and what memtables and cached
# blocks leave is given back. (mimalloc was as fast and kept 100 MB more.) Sanitizers bring their own.
add_library(cairn_malloc INTERFACE)
if(NOT CAIRN_SANITIZE)
  find_library(JEMALLOC_LIBRARY jemalloc REQUIRED)
  target_link_libraries(cairn_malloc INTERFACE -Wl,--no-as-needed ${JEMALLOC_LIBRARY} -Wl,--as-needed)
endif()

# Boost.Asio and Beast are header only; 1.81 is Debian's package libboost1.81-dev.
add_library(cairn_boost INTERFACE)
target_compile_definitions(cairn_boost INTERFACE BOOST_ASIO_NO_DEPRECATED BOOST_ALLOW_DEPRECATED_HEADERS)
target_link_libraries(cairn_boost INTERFACE Threads::Threads)

add_library(cairn_cli11 INTERFACE)
target_link_libraries(cairn_cli11 INTERFACE CLI11::CLI11)

# Passwords: Argon2id.
add_library(cairn_sodium INTERFACE)
target_link_libraries(cairn_sodium INTERFACE sodium)

# Recurrence rules by another hand: a judge of ours, in tests only (docs/recurrence.md says why).
add_library(cairn_ical INTERFACE)
target_link_libraries(cairn_ical INTERFACE ical)
