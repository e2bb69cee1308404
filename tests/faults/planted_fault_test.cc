// `cairn verify` finds whatever does not fit together: each fault is planted behind the engine's back.
#include <gmock/gmock.h>

#include "base/task.h"
#include "raw_database.h"
#include "store_for_test.h"

namespace cairn::faults {
namespace {

using Family = RawDatabase::Family;

class PlantedFault : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    Fill(120);
    store::CreateBackupRequest backup{.table = kMain, .name = "copy"};
    ASSERT_TRUE(SyncWait(engine_->CreateBackup(backup)));
    ASSERT_EQ(Findings(), std::vector<std::string>());
  }

  std::vector<std::string> Findings() {
    const auto report = engine_->Verify({});
    EXPECT_TRUE(report) << report.error().message;
    return report ? report->findings : std::vector<std::string>();
  }

  void ExpectFound(const std::function<void(RawDatabase&)>& plant, const std::string& words) {
    engine_.reset();
    {
      RawDatabase raw(fs_);
      plant(raw);
    }
    const auto opened = Open();
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_THAT(Findings(), testing::Contains(testing::HasSubstr(words)));
  }

  static std::string Id(const std::string& key) { return key.substr(0, 4); }
  static std::string BigEndian(uint64_t value, int width) {
    std::string bytes;
    for (int i = width; i-- > 0;) bytes += static_cast<char>(value >> (8 * i));
    return bytes;
  }
  // The ids of Main, as it was made first: table 1, by_group 2, slim 3, by_time 4, its stream 5.
  static Rows RowsOf(const RawDatabase& raw, Family family, uint64_t id) {
    Rows rows = raw.Read(family);
    std::erase_if(rows, [&](const auto& row) { return Id(row.first) != BigEndian(id, 4); });
    return rows;
  }
  static std::string ReplaceOnce(std::string text, const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
  }
  // The first item whose bytes have this text.
  static std::pair<std::string, std::string> ItemWith(const RawDatabase& raw, const std::string& text) {
    for (const auto& row : RowsOf(raw, Family::kItems, kMainId)) {
      if (row.second.find(text) != std::string::npos) return row;
    }
    ADD_FAILURE() << "no item with " << text;
    return {};
  }
  static std::string ExpiryRow(const RawDatabase& raw) {
    for (const auto& [key, value] : raw.Read(Family::kIndexes)) {
      if (value.empty()) return key;
    }
    ADD_FAILURE() << "no expiry row";
    return {};
  }

  static constexpr uint64_t kMainId = 1, kByGroupId = 2, kStreamId = 5;
};

TEST_F(PlantedFault, DroppedIndexRow) {
  ExpectFound(
      [](RawDatabase& raw) {
        raw.Delete(Family::kIndexes, RowsOf(raw, Family::kIndexes, kByGroupId).begin()->first);
      },
      "row is missing");
}

TEST_F(PlantedFault, StaleIndexRow) {
  ExpectFound(
      [](RawDatabase& raw) {
        const auto row = *RowsOf(raw, Family::kIndexes, kByGroupId).begin();
        raw.Put(Family::kIndexes, row.first + "stale", row.second);
      },
      "rows, but items call for");
}

TEST_F(PlantedFault, IndexRowWithOtherContent) {
  ExpectFound(
      [](RawDatabase& raw) {
        auto row = *RowsOf(raw, Family::kIndexes, kByGroupId).begin();
        row.second.back() = static_cast<char>(row.second.back() ^ 1);
        raw.Put(Family::kIndexes, row.first, row.second);
      },
      "row differs from the item");
}

TEST_F(PlantedFault, ItemAlteredBehindItsIndex) {
  ExpectFound(
      [](RawDatabase& raw) {
        for (const auto& [key, value] : RowsOf(raw, Family::kItems, kMainId)) {
          // The filler is one letter many times.
          for (const char letter : std::string("abcdefghijklmnopqrstuvwxyz")) {
            const std::string filler(3, letter);
            if (value.find("grp") == std::string::npos || value.find(filler) == std::string::npos) continue;
            return raw.Put(Family::kItems, key, ReplaceOnce(value, filler, "xyz"));
          }
        }
        ADD_FAILURE() << "no such item";
      },
      "in index by_group");
}

TEST_F(PlantedFault, ItemAlteredInWhatNoIndexHas) {
  // Items without grp and at are in no index; only the stream knows what they were.
  ExpectFound(
      [](RawDatabase& raw) {
        for (const auto& [key, value] : RowsOf(raw, Family::kItems, kMainId)) {
          if (value.find("grp") != std::string::npos || value.find("\x02"
                                                                   "at") != std::string::npos)
            continue;
          const size_t text =
              value.find("total") != std::string::npos ? value.find("total") : value.find("filler");
          if (text == std::string::npos) continue;
          std::string altered = value;
          altered[text] = static_cast<char>(altered[text] + 1);
          raw.Put(Family::kItems, key, altered);
          return;
        }
        ADD_FAILURE() << "no such item";
      },
      "is not what lies in the table");
}

TEST_F(PlantedFault, DroppedItem) {
  ExpectFound([](RawDatabase& raw) { raw.Delete(Family::kItems, ItemWith(raw, "grp").first); },
              "rows, but items call for");
}

TEST_F(PlantedFault, ItemUnderAForeignKey) {
  ExpectFound(
      [](RawDatabase& raw) {
        const auto [key, value] = ItemWith(raw, "grp");
        raw.Delete(Family::kItems, key);
        raw.Put(Family::kItems, key + "x", value);
      },
      "lies under a key that is not its own");
}

TEST_F(PlantedFault, ItemCutShort) {
  ExpectFound(
      [](RawDatabase& raw) {
        const auto [key, value] = ItemWith(raw, "grp");
        raw.Put(Family::kItems, key, value.substr(0, value.size() - 1));
      },
      "Main item");
}

TEST_F(PlantedFault, DroppedExpiryRow) {
  ExpectFound([](RawDatabase& raw) { raw.Delete(Family::kIndexes, ExpiryRow(raw)); },
              "expiry: row is missing");
}

TEST_F(PlantedFault, StaleExpiryRow) {
  ExpectFound(
      [](RawDatabase& raw) {
        std::string key = ExpiryRow(raw);
        key[11] = static_cast<char>(key[11] ^ 1);  // the last byte of the time
        raw.Put(Family::kIndexes, key, "");
      },
      "expiry: ");
  // The sweep clears it away instead of meeting it for ever.
  clock_.Advance(std::chrono::hours(1));
  engine_->RunJobs();
  EXPECT_EQ(Findings(), std::vector<std::string>());
}

TEST_F(PlantedFault, WrongCounter) {
  ExpectFound(
      [](RawDatabase& raw) {
        const std::string key = "C" + BigEndian(kMainId, 4);
        std::string value = raw.Read(Family::kCatalog).at(key);
        value[7] = static_cast<char>(value[7] + 1);
        raw.Put(Family::kCatalog, key, value);
      },
      "counted ");
}

TEST_F(PlantedFault, DroppedStreamRowInTheMiddle) {
  ExpectFound(
      [](RawDatabase& raw) {
        raw.Delete(Family::kStreams, std::next(RowsOf(raw, Family::kStreams, kStreamId).begin(), 5)->first);
      },
      "are missing");
}

TEST_F(PlantedFault, DroppedLastStreamRow) {
  ExpectFound(
      [](RawDatabase& raw) {
        std::pair<std::string, std::string> last;  // of both streams: the highest sequence
        for (const auto& row : raw.Read(Family::kStreams)) {
          if (last.first.empty() || row.first.substr(4) > last.first.substr(4)) last = row;
        }
        raw.Delete(Family::kStreams, last.first);
      },
      "are missing");
}

TEST_F(PlantedFault, UnreadableStreamRow) {
  ExpectFound(
      [](RawDatabase& raw) {
        const auto row = *RowsOf(raw, Family::kStreams, kStreamId).begin();
        raw.Put(Family::kStreams, row.first, row.second.substr(0, row.second.size() - 1));
      },
      "is not readable");
}

TEST_F(PlantedFault, AlteredStreamImage) {
  ExpectFound(
      [](RawDatabase& raw) {
        // A record that others on the same item follow.
        const Rows rows = RowsOf(raw, Family::kStreams, kStreamId);
        for (auto row = rows.begin(); row != rows.end(); ++row) {
          if (row->second.find("counter") == std::string::npos) continue;
          std::string altered = row->second;
          altered.back() = static_cast<char>(altered.back() ^ 1);  // the last digit of `w`
          return raw.Put(Family::kStreams, row->first, altered);
        }
        ADD_FAILURE() << "no record of the counter";
      },
      "stream Main/");
}

TEST_F(PlantedFault, StreamRecordOutsideItsStream) {
  ExpectFound(
      [](RawDatabase& raw) {
        const auto row = *RowsOf(raw, Family::kStreams, kStreamId).begin();
        raw.Put(Family::kStreams, Id(row.first) + BigEndian(1'000'000, 8), row.second);
      },
      "lie outside the stream");
}

TEST_F(PlantedFault, RowsOfNobody) {
  for (const Family family : {Family::kItems, Family::kIndexes, Family::kStreams}) {
    ExpectFound([&](RawDatabase& raw) { raw.Put(family, BigEndian(999, 4) + "somewhere", "x"); },
                "rows of unknown owner 999");
    engine_.reset();
    RawDatabase raw(fs_);
    raw.Delete(family, BigEndian(999, 4) + "somewhere");
  }
}

TEST_F(PlantedFault, IdThatWouldBeGivenOutAgain) {
  ExpectFound([](RawDatabase& raw) { raw.Put(Family::kCatalog, "Mnext_id", BigEndian(3, 4)); },
              "would be given out again");
}

TEST_F(PlantedFault, ClientTokenThatNeverExpires) {
  ExpectFound(
      [](RawDatabase& raw) {
        const Rows rows = raw.Read(Family::kCatalog);
        raw.Delete(Family::kCatalog, rows.lower_bound("X")->first);
      },
      "it would never expire");
}

TEST_F(PlantedFault, ExpiryOfAClientTokenThatIsGone) {
  ExpectFound(
      [](RawDatabase& raw) {
        const Rows rows = raw.Read(Family::kCatalog);
        raw.Delete(Family::kCatalog, rows.lower_bound("K")->first);
      },
      "its expiry is kept, but not the token");
}

TEST_F(PlantedFault, UnreadableItemOfABackup) {
  ExpectFound(
      [](RawDatabase& raw) {
        const auto row = *raw.Read(Family::kItems).rbegin();  // the backup has the highest id
        raw.Put(Family::kItems, row.first, row.second.substr(0, row.second.size() - 1));
      },
      "backup ");
}

}  // namespace
}  // namespace cairn::faults
