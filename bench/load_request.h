// The requests of the load: whole HTTP messages written once, whose variable parts (key numbers, texts,
// versions) have a fixed width and are overwritten in place before each use. Preparing one costs the driver
// next to nothing.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

// What lies in the table "Bench": items under "item#NUMBER" / "detail", and partitions "part#NUMBER" of 20
// items, ten under "event#.." and ten under "order#..".
struct DataSet {
  uint64_t items = 0;
  uint64_t partitions = 0;
};

struct Operation {
  std::string_view name;
  enum class Keys {
    kNone,
    kItems,              // random items
    kItemsOfConnection,  // random items that no other connection uses, whose versions are known
    kPartitions,         // random partitions
    kItemsInOrder,       // every item once
    kPartitionsInOrder,  // every partition once
  } keys;
  std::string_view reply_has;  // what a right answer contains
  size_t reply_bytes_least;    // how long its body is at least
  std::string (*message)();    // with marks where the variable parts go
};

// nullptr if there is none of that name.
const Operation* FindOperation(std::string_view name);
std::string OperationNames();

// Small, fast, seeded: xorshift64*.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15 + 1) {}
  uint64_t Next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1D;
  }
  uint64_t Below(uint64_t limit) { return (Next() >> 11) % limit; }

 private:
  uint64_t state_;
};

// One connection's copy of an operation's message.
class LoadRequest {
 public:
  explicit LoadRequest(const Operation& operation);

  // Fills the next key numbers in: key slot i gets (first + i * stride) modulo `keys`, counted from `base`.
  void SetKeys(uint64_t base, uint64_t first, uint64_t stride, uint64_t keys);
  void SetVersion(uint64_t version);  // the condition asks for it, the update writes the one after it
  void FillTexts(Random& random);

  const std::string& bytes() const { return bytes_; }
  size_t key_slots() const { return keys_.size(); }

 private:
  std::string bytes_;
  std::vector<size_t> keys_, texts_, versions_, next_versions_;  // where they begin
};

inline constexpr uint64_t kFirstVersion = 1'000'000;

}  // namespace bench
