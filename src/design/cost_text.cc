#include <cmath>

#include "design/cost.h"
#include "design/text_table.h"

namespace cairn::design {
namespace {

using enum TextTable::Align;

std::string OrDash(const std::optional<double>& value) { return value ? ShortNumber(*value) : "-"; }

std::string Join(const std::vector<std::string>& remarks) {
  std::string text;
  for (const std::string& remark : remarks) text += (text.empty() ? "" : "; ") + remark;
  return text;
}

std::string_view SourceName(SizeSource source) {
  switch (source) {
    case SizeSource::kMeasured:
      return "measured";
    case SizeSource::kDeclared:
      return "declared";
    case SizeSource::kEstimated:
      break;
  }
  return "estimated";
}

std::string Reads(const CostReport& report) {
  TextTable table({{"pattern"},
                   {"calls"},
                   {"items", kRight},
                   {"bytes each", kRight},
                   {"eventual", kRight},
                   {"strong", kRight},
                   {"20 items, eventual", kRight},
                   {"reads as"},
                   {"remarks"}});
  for (const ReadCost& read : report.reads) {
    table.AddRow({read.pattern->name, read.calls, ShortNumber(read.page_items),
                  ShortNumber(std::round(read.item_bytes)), ShortNumber(read.eventual), OrDash(read.strong),
                  OrDash(read.eventual_20), read.consistent ? "strong" : "eventual", Join(read.remarks)});
  }
  return "Reads, in read units, one page of the default limit:\n\n" + table.ToString();
}

std::string Writes(const CostReport& report) {
  TextTable table({{"entity"},
                   {"bytes", kRight},
                   {"size is"},
                   {"create", kRight},
                   {"update", kRight},
                   {"moves in indexes", kRight},
                   {"delete", kRight},
                   {"writes/s per key", kRight},
                   {"remarks"}});
  for (const WriteCost& write : report.writes) {
    table.AddRow({write.entity->name, ShortNumber(std::round(write.size.bytes)),
                  std::string(SourceName(write.size.source)), ShortNumber(write.create), OrDash(write.update),
                  OrDash(write.move), OrDash(write.remove), ShortNumber(write.writes_per_second),
                  Join(write.remarks)});
  }
  return "Writes, in write units, index rows included:\n\n" + table.ToString();
}

std::string HotKeys(const CostReport& report) {
  TextTable table({{"partition of"}, {"key"}, {"shared by"}, {"writes/s", kRight}, {"reads/s", kRight}});
  for (const HotKey& key : report.hot_keys) {
    table.AddRow({key.subject, key.partition, key.time_bucket ? "all writes of a period" : "many items",
                  ShortNumber(key.writes_per_second), ShortNumber(key.reads_per_second)});
  }
  return "Partitions that few keys share, and what one key takes (about 1,000 write and 3,000 read units a "
         "second):\n\n" +
         table.ToString();
}

}  // namespace

std::string ToText(const CostReport& report) {
  std::string text;
  const auto add = [&](std::string section) {
    if (!text.empty()) text += "\n";
    text += section;
  };
  if (!report.reads.empty()) add(Reads(report));
  if (!report.writes.empty()) add(Writes(report));
  if (!report.hot_keys.empty()) add(HotKeys(report));
  return text;
}

}  // namespace cairn::design
