// AddressCounts: how many connections (or WebSockets) each address has, so that none takes all of them.
//
// Thread-safe. Meant for what happens once per connection, never once per request. Clients with IPv6 are
// counted by network, since each can have as many addresses as it likes.
#pragma once

#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "http/ip_address.h"

namespace cairn::http {

class AddressCounts {
 public:
  // One that is counted; gives its place back at its end. Empty: not counted.
  class Place {
   public:
    Place() = default;
    Place(AddressCounts& counts, const IpAddress& network) : counts_(&counts), network_(network) {}
    Place(Place&& other) noexcept
        : counts_(std::exchange(other.counts_, nullptr)), network_(other.network_) {}
    Place& operator=(Place&& other) noexcept {
      std::swap(counts_, other.counts_);
      std::swap(network_, other.network_);
      return *this;
    }
    ~Place() {
      if (counts_) counts_->GiveBack(network_);
    }

   private:
    AddressCounts* counts_ = nullptr;
    IpAddress network_;
  };

  // Nothing when the address has `max` of them already.
  std::optional<Place> Take(const IpAddress& address, size_t max) {
    const IpAddress network = address.Network();
    const std::lock_guard lock(mutex_);
    size_t& count = counts_[network];
    if (count >= max) {
      if (count == 0) counts_.erase(network);
      return std::nullopt;
    }
    ++count;
    return std::make_optional<Place>(*this, network);
  }

  size_t addresses() const {
    const std::lock_guard lock(mutex_);
    return counts_.size();
  }

 private:
  struct Hash {
    size_t operator()(const IpAddress& address) const {
      uint64_t high, low;
      std::memcpy(&high, address.bytes().data(), 8);
      std::memcpy(&low, address.bytes().data() + 8, 8);
      return (high * 0x9e3779b97f4a7c15ull) ^ (low * 0xbf58476d1ce4e5b9ull);
    }
  };

  void GiveBack(const IpAddress& network) {
    const std::lock_guard lock(mutex_);
    const auto found = counts_.find(network);
    if (--found->second == 0) counts_.erase(found);
  }

  mutable std::mutex mutex_;  // guards counts_
  std::unordered_map<IpAddress, size_t, Hash> counts_;
};

}  // namespace cairn::http
