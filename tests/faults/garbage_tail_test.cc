// Garbage behind the last record of a log does not keep a store from starting, whatever it looks like.
#include "store_for_test.h"

namespace cairn::faults {
namespace {

class GarbageTail : public StoreTest {
 protected:
  static std::vector<std::string> LogsIn(const Disk::Contents& contents) {
    std::vector<std::string> paths;  // in order; numbers have leading zeroes
    for (const auto& [path, bytes] : contents) {
      if (path.ends_with(".log") && !bytes.empty()) paths.push_back(path);
    }
    return paths;
  }
};

// RocksDB takes such a record for one of an earlier use of the same file. With relaxed durability and several
// logs the list of files is read first.
TEST_F(GarbageTail, ThatLooksLikeARecycledRecordIsCutOff) {
  durability_ = engine::Durability::kRelaxed;
  Fill(0);
  Disk::Contents contents;
  while (LogsIn(contents).size() < 2) {
    ASSERT_TRUE(writer_.Step(*engine_));
    contents = fs_.Read();
  }
  const char header[] = {1, 2, 3, 4, 20, 0, 5, 9, 9, 9, 9};  // checksum, length, type, number of another log
  contents[LogsIn(contents).back()] += std::string(header, sizeof header) + std::string(40, 'g');
  engine_.reset();
  fs_.Replace(contents);
  const auto opened = Open();
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(Judge(*engine_, ledger_, clock_).problems, std::vector<std::string>());
}

}  // namespace
}  // namespace cairn::faults
