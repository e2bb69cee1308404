// The first byte chooses the zone, the second the start; the rest is a rule. What is accepted must be read
// back the same, expand in order, and be cut where one asks.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "calendar/recurrence.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cairn::calendar;
  using std::chrono::days;
  if (size < 2) return 0;
  constexpr std::array<std::string_view, 4> kZones{"", "Europe/Berlin", "Pacific/Apia", "UTC"};
  constexpr std::array<std::string_view, 5> kStarts{"2024-02-29T02:30:00", "2011-12-30T00:00:00",
                                                    "0001-01-01T00:00:00", "9999-12-31T23:59:59",
                                                    "2026-10-25T02:15:30"};
  const std::string_view zone = kZones[data[0] % kZones.size()];
  const LocalTime start = ParseLocal(kStarts[data[1] % kStarts.size()]).value();
  const auto rule = Rule::Parse({reinterpret_cast<const char*>(data) + 2, size - 2}, start, zone);
  if (!rule) return 0;
  const auto again = Rule::Parse(rule->text(), start, zone);
  CHECK(again && *again == *rule, "text() is taken back");

  const Series series{
      .rule = *rule, .start = start, .exdates = {start + days(1)}, .rdates = {start + days(2)}};
  const auto found = Occurrences(series, start, start + days(800), 1000);
  if (!found) return 0;
  for (size_t i = 0; i < found->size(); ++i) {
    CHECK((*found)[i] >= start && (*found)[i] < start + days(800), "in the window");
    CHECK(i == 0 || (*found)[i - 1] < (*found)[i], "in order, none twice");
    (void)ToInstant((*found)[i], zone.empty() ? "UTC" : zone);
  }
  if (found->empty()) return 0;
  const LocalTime middle = (*found)[found->size() / 2];
  const auto next = NextOccurrence(series, middle - std::chrono::seconds(1));
  CHECK(next && *next == middle, "found again");
  const Series first{.rule = EndingBefore(*rule, middle), .start = start};
  const auto before = Occurrences(first, start, start + days(800), 1001);
  CHECK(before && (before->empty() || before->back() < middle), "cut before");
  const auto count = CountBefore(*rule, start, middle);
  CHECK(count && *count >= static_cast<int64_t>(before->size()), "what is cut off was counted");
  (void)Continuing(*rule, *count);
  return 0;
}
