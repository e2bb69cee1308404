// Account: whose share of a budget something takes: a user's, an access key's, or an address's. Kept as a
// hash: two that collide merely share a share.
#pragma once

#include <cstdint>
#include <string_view>

#include "http/ip_address.h"

namespace cairn::http {

struct Account {
  uint64_t hash = 0;  // 0: nobody in particular; only what all may take together limits it

  static Account OfUser(std::string_view user_id);
  static Account OfAccessKey(std::string_view access_key_id);
  // Of its network, which is what a client cannot change at will.
  static Account OfAddress(const IpAddress& address);

  friend bool operator==(Account, Account) = default;
};

}  // namespace cairn::http
