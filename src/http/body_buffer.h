// BodyBuffer: one request body that did not fit into the connection's input buffer; it grows as data arrives,
// never to a size that was merely announced, within the budget for all bodies of a server and its sender's
// share of it.
#pragma once

#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>

#include "http/http.h"
#include "http/shared_budget.h"

namespace cairn::http {

class BodyBuffer {
 public:
  explicit BodyBuffer(SharedBudget& memory) : memory_(memory) {}

  std::string_view view() const { return {bytes_.get(), size_}; }
  size_t size() const { return size_; }
  std::span<char> Room() { return {bytes_.get() + size_, capacity_ - size_}; }
  void Commit(size_t count) { size_ += count; }

  // Whose share of the budget it takes.
  void ChargeTo(Account account) { memory_.ChargeTo(account); }
  // Makes room for at least one more byte of a body that will have up to `total_bytes`. False: no budget.
  [[nodiscard]] bool MakeRoom(size_t total_bytes);
  // Appends what arrived elsewhere. False: no budget.
  [[nodiscard]] bool Append(std::string_view data);
  // Takes budget for a decoded copy of the body, held until Release. False: no budget.
  [[nodiscard]] bool Charge(size_t bytes);
  // Zeroes the padding behind the last byte.
  void Pad();
  // Gives memory and budget back.
  void Release();

 private:
  bool Resize(size_t capacity);

  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };

  BudgetShare memory_;
  std::unique_ptr<char, Free>
      bytes_;  // capacity_ + kBodyPaddingBytes, from malloc: realloc moves pages, not bytes
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace cairn::http
