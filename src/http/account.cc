#include "http/account.h"

#include <functional>

namespace cairn::http {
namespace {

// The kinds differ, so that nobody can take a name that stands for another's address.
Account Hashed(std::string_view bytes, uint64_t kind) {
  const uint64_t hash = (std::hash<std::string_view>()(bytes) ^ kind) * 0x9e3779b97f4a7c15ull;
  return {hash == 0 ? 1 : hash};
}

}  // namespace

Account Account::OfUser(std::string_view user_id) { return Hashed(user_id, 1); }

Account Account::OfAccessKey(std::string_view access_key_id) { return Hashed(access_key_id, 2); }

Account Account::OfAddress(const IpAddress& address) {
  const IpAddress network = address.Network();
  return Hashed({reinterpret_cast<const char*>(network.bytes().data()), network.bytes().size()}, 3);
}

}  // namespace cairn::http
