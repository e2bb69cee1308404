// Rules as text: reading with an error for whatever RFC 5545 forbids, and writing in one form.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/temporal_text.h"
#include "calendar/recurrence.h"

namespace cairn::calendar {

namespace {

constexpr std::array<std::string_view, 7> kFrequencies{"SECONDLY", "MINUTELY", "HOURLY", "DAILY",
                                                       "WEEKLY",   "MONTHLY",  "YEARLY"};
constexpr std::array<std::string_view, 7> kWeekdays{"MO", "TU", "WE", "TH", "FR", "SA", "SU"};
constexpr int64_t kNumberMax = 999'999'999;

// A list of numbers, in the order in which text() has them.
struct NumberList {
  std::string_view name;
  std::vector<int> RuleParts::*values;
  int min, max;
  bool may_be_negative;
};
constexpr std::array<NumberList, 8> kLists{
    NumberList{"BYSECOND", &RuleParts::by_second, 0, 60, false},
    NumberList{"BYMINUTE", &RuleParts::by_minute, 0, 59, false},
    NumberList{"BYHOUR", &RuleParts::by_hour, 0, 23, false},
    NumberList{"BYMONTHDAY", &RuleParts::by_month_day, 1, 31, true},
    NumberList{"BYYEARDAY", &RuleParts::by_year_day, 1, 366, true},
    NumberList{"BYWEEKNO", &RuleParts::by_week_number, 1, 53, true},
    NumberList{"BYMONTH", &RuleParts::by_month, 1, 12, false},
    NumberList{"BYSETPOS", &RuleParts::by_set_position, 1, 366, true},
};

template <class Names>
std::optional<int> IndexOf(const Names& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<int>(found - names.begin());
}

// As far as it helps to find the place; only characters that rules may have get here.
std::string Quoted(std::string_view text) {
  constexpr size_t kBytesMax = 40;
  return "\"" + std::string(text.substr(0, kBytesMax)) + (text.size() > kBytesMax ? "...\"" : "\"");
}

template <class Visit>  // Status(std::string_view)
Status ForEachPiece(std::string_view text, char separator, Visit visit) {
  for (;;) {
    const size_t end = text.find(separator);
    RETURN_IF_ERROR(visit(text.substr(0, end)));
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
}

// 1 to 9 digits.
std::optional<int64_t> ReadNumber(std::string_view text) {
  return text.size() <= 9 ? ReadDigits(text) : std::nullopt;
}

// "-1" and "+1" too.
std::optional<int> ReadSigned(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const auto number = ReadNumber(text);
  if (!number) return std::nullopt;
  return static_cast<int>(is_negative ? -*number : *number);
}

// 20261231
std::optional<LocalTime> ReadCompactDate(std::string_view text) {
  if (text.size() != 8) return std::nullopt;
  std::string iso(text.substr(0, 4));
  iso.append("-").append(text.substr(4, 2)).append("-").append(text.substr(6, 2));
  const auto day = ParseDate(iso);
  return day ? std::optional(LocalTime(day->time_since_epoch())) : std::nullopt;
}

// 20261231T080000
std::optional<LocalTime> ReadCompactTime(std::string_view text) {
  if (text.size() != 15 || text[8] != 'T') return std::nullopt;
  const auto day = ReadCompactDate(text.substr(0, 8));
  const auto clock = ReadDigits(text.substr(9));
  if (!day || !clock || *clock / 10000 > 23 || *clock / 100 % 100 > 59 || *clock % 100 > 60)
    return std::nullopt;
  // Without leap seconds the 60th second is the 59th (RFC 5545, 3.3.12).
  const int64_t second = std::min<int64_t>(*clock % 100, 59);
  return *day + std::chrono::seconds(*clock / 10000 * 3600 + *clock / 100 % 100 * 60 + second);
}

std::string CompactTime(std::chrono::seconds since_epoch) {
  std::string text = FormatLocal(LocalTime(since_epoch));
  std::erase(text, '-');
  std::erase(text, ':');
  return text;
}

// The last wall time that is shown for the first time at or before the instant.
Result<LocalTime> LastShownBy(Time instant, std::string_view zone) {
  ASSIGN_OR_RETURN(LocalTime local, ToLocal(instant, zone));
  ASSIGN_OR_RETURN(const Time first_pass, ToInstant(local, zone));
  if (first_pass >= instant) return local;
  // The clocks have been set back: everything they had shown before counts, up to a second before `beyond`.
  LocalTime beyond =
      local + std::chrono::floor<std::chrono::seconds>(instant - first_pass) + std::chrono::seconds(1);
  while (beyond - local > std::chrono::seconds(1)) {
    const LocalTime middle = local + (beyond - local) / 2;
    ASSIGN_OR_RETURN(const Time shown, ToInstant(middle, zone));
    (shown <= instant ? local : beyond) = middle;
  }
  return local;
}

}  // namespace

class RuleReader {
 public:
  RuleReader(LocalTime start, std::string_view zone) : start_(start) { rule_.zone_ = zone; }

  Result<Rule> Read(std::string_view rrule) {
    if (start_ < kLocalMin || start_ > kLocalMax) return Refuse("A series starts in the years 0001 to 9999.");
    if (!rule_.zone_.empty()) RETURN_IF_ERROR(ToLocal(Time{}, rule_.zone_));  // is there such a zone?
    if (rrule.size() > kRuleBytesMax)
      return Refuse("A recurrence rule has at most " + std::to_string(kRuleBytesMax) + " characters.");
    std::string text(rrule);
    for (char& c : text) {
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
      const bool is_known = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                            std::string_view("=;,:+-").find(c) != std::string_view::npos;
      if (!is_known) return Refuse("A recurrence rule has only letters, digits and = ; , + -");
    }
    std::string_view value = text;
    if (value.starts_with("RRULE:")) value.remove_prefix(6);
    if (value.ends_with(';')) value.remove_suffix(1);  // Google's calendar has been seen to write it
    if (value.empty()) return Refuse("The recurrence rule is empty. Write it like FREQ=WEEKLY;BYDAY=MO.");
    RETURN_IF_ERROR(ForEachPiece(value, ';', [this](std::string_view part) { return ReadPart(part); }));
    RETURN_IF_ERROR(CheckTogether());
    rule_.WriteText();
    return std::move(rule_);
  }

 private:
  static std::unexpected<Error> Refuse(std::string sentence) { return Fail(Invalid(std::move(sentence))); }

  Status ReadPart(std::string_view part) {
    const size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return Refuse(Quoted(part) +
                    " is no part of a recurrence rule. Parts look like FREQ=DAILY, with ; between.");
    const std::string_view name = part.substr(0, equals), value = part.substr(equals + 1);
    if (std::ranges::find(seen_, name) != seen_.end())
      return Refuse(std::string(name.substr(0, 40)) + " stands in the rule twice.");
    seen_.emplace_back(name);
    if (name == "FREQ") return ReadFrequency(value);
    if (name == "INTERVAL") return ReadPositive(name, value, rule_.parts_.interval);
    if (name == "COUNT") return ReadPositive(name, value, rule_.count_.emplace());
    if (name == "UNTIL") return ReadUntil(value);
    if (name == "WKST") return ReadWeekStart(value);
    if (name == "BYDAY")
      return ForEachPiece(value, ',', [this](std::string_view piece) { return ReadByDay(piece); });
    for (const NumberList& list : kLists) {
      if (list.name != name) continue;
      return ForEachPiece(value, ',', [&](std::string_view piece) { return ReadListed(list, piece); });
    }
    if (name == "RSCALE" || name == "SKIP")
      return Refuse("Only rules of the Gregorian calendar are understood, without RSCALE and SKIP.");
    return Refuse(Quoted(name) + " is no part of a recurrence rule.");
  }

  Status ReadFrequency(std::string_view value) {
    const auto index = IndexOf(kFrequencies, value);
    if (!index) {
      return Refuse("FREQ is one of SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY and YEARLY, not " +
                    Quoted(value) + ".");
    }
    rule_.parts_.frequency = static_cast<Frequency>(*index);
    has_frequency_ = true;
    return {};
  }

  Status ReadPositive(std::string_view name, std::string_view value, int64_t& number) {
    const auto read = ReadNumber(value);
    if (!read || *read < 1) {
      return Refuse(std::string(name) + " is a whole number from 1 to " + std::to_string(kNumberMax) +
                    ", not " + Quoted(value) + ".");
    }
    number = *read;
    return {};
  }

  Status ReadWeekStart(std::string_view value) {
    const auto index = IndexOf(kWeekdays, value);
    if (!index) return Refuse("WKST is one of MO, TU, WE, TH, FR, SA and SU, not " + Quoted(value) + ".");
    rule_.parts_.week_start = *index;
    return {};
  }

  Status ReadByDay(std::string_view piece) {
    const auto day = piece.size() < 2 ? std::nullopt : IndexOf(kWeekdays, piece.substr(piece.size() - 2));
    std::optional<int> ordinal = 0;
    if (piece.size() > 2) ordinal = ReadSigned(piece.substr(0, piece.size() - 2));
    const bool is_in_range = ordinal && std::abs(*ordinal) <= 53 && (*ordinal != 0 || piece.size() == 2);
    if (!day || !is_in_range) {
      return Refuse("BYDAY has days such as MO, 2TU (the second) or -1FR (the last), not " + Quoted(piece) +
                    ".");
    }
    rule_.parts_.by_day.push_back({.ordinal = *ordinal, .day = *day});
    return {};
  }

  Status ReadListed(const NumberList& list, std::string_view piece) {
    std::optional<int> number;
    if (list.may_be_negative)
      number = ReadSigned(piece);
    else if (const auto read = ReadNumber(piece))
      number = static_cast<int>(*read);
    if (!number || std::abs(*number) < list.min || std::abs(*number) > list.max) {
      std::string range = std::to_string(list.min) + " to " + std::to_string(list.max);
      if (list.may_be_negative) range += ", or -1 to -" + std::to_string(list.max) + " from the end";
      return Refuse(std::string(list.name) + " has whole numbers from " + range + ", not " + Quoted(piece) +
                    ".");
    }
    // Without leap seconds the 60th second is the 59th (RFC 5545, 3.3.12).
    if (list.values == &RuleParts::by_second) number = std::min(*number, 59);
    (rule_.parts_.*list.values).push_back(*number);
    return {};
  }

  Status ReadUntil(std::string_view value) {
    const bool is_utc = value.ends_with('Z');
    if (const auto day = ReadCompactDate(value)) {  // the whole day
      SetLocalUntil(*day + std::chrono::seconds(86399));
      if (rule_.zone_.empty()) rule_.until_text_ = value;
      return {};
    }
    const auto time = ReadCompactTime(is_utc ? value.substr(0, value.size() - 1) : value);
    if (!time)
      return Refuse("UNTIL is a time like 20261231T080000Z or a date like 20261231, not " + Quoted(value) +
                    ".");
    if (!is_utc) return SetLocalUntil(*time), Status();
    if (rule_.zone_.empty())
      return Refuse("A series without a time zone ends at a local time: write UNTIL without the Z.");
    ASSIGN_OR_RETURN(rule_.until_, LastShownBy(Time(time->time_since_epoch()), rule_.zone_));
    rule_.until_text_ = CompactTime(time->time_since_epoch()) + "Z";
    return {};
  }

 public:
  Result<Rule> Change(const Rule& rule, RuleParts parts, std::optional<LocalTime> until) {
    rule_.parts_ = std::move(parts);
    rule_.count_ = rule.count_;
    has_frequency_ = true;
    if (!rule_.zone_.empty()) RETURN_IF_ERROR(ToLocal(Time{}, rule_.zone_));
    const bool is_same_end = until == rule.until_ && rule_.zone_ == rule.zone_;
    if (until && !is_same_end) SetLocalUntil(std::clamp(*until, kLocalMin, kLocalMax));
    if (is_same_end) {
      rule_.until_ = rule.until_;
      rule_.until_text_ = rule.until_text_;
    }
    RETURN_IF_ERROR(CheckTogether());
    rule_.WriteText();
    return std::move(rule_);
  }

  // The end of `rule`, in the RFC's form, and as that form is read again.
  static void SetUntil(Rule& rule, LocalTime time) {
    rule.until_ = time;
    rule.until_text_ = CompactTime(time.time_since_epoch());
    if (rule.zone_.empty()) return;
    // Outside the years of instants, at the calendar's ends, the nearest instant there is.
    const Time instant =
        ToInstantNotAfter(time, rule.zone_)
            .value_or(time < LocalTime{} ? kTimeMin : std::chrono::floor<std::chrono::seconds>(kTimeMax));
    rule.until_ = std::min(time, LastShownBy(instant, rule.zone_).value_or(time));
    rule.until_text_ =
        CompactTime(std::chrono::floor<std::chrono::seconds>(instant).time_since_epoch()) + "Z";
  }

 private:
  void SetLocalUntil(LocalTime time) { SetUntil(rule_, time); }

  Status CheckTogether() {
    RuleParts& parts = rule_.parts_;
    const Frequency frequency = parts.frequency;
    if (!has_frequency_) return Refuse("The recurrence rule needs FREQ, such as FREQ=DAILY.");
    if (rule_.count_ && rule_.until_) return Refuse("A rule has COUNT or UNTIL, not both.");
    if (!parts.by_week_number.empty() && frequency != Frequency::kYearly)
      return Refuse("BYWEEKNO goes with FREQ=YEARLY only.");
    if (!parts.by_year_day.empty() && (frequency == Frequency::kDaily || frequency == Frequency::kWeekly ||
                                       frequency == Frequency::kMonthly))
      return Refuse("BYYEARDAY does not go with FREQ=DAILY, WEEKLY or MONTHLY.");
    if (!parts.by_month_day.empty() && frequency == Frequency::kWeekly)
      return Refuse("BYMONTHDAY does not go with FREQ=WEEKLY.");
    if (std::ranges::any_of(parts.by_day, [](const NumberedWeekday& day) { return day.ordinal != 0; })) {
      if (frequency != Frequency::kMonthly && frequency != Frequency::kYearly)
        return Refuse("Numbered days in BYDAY, such as 2MO, go with FREQ=MONTHLY and YEARLY only.");
      if (!parts.by_week_number.empty())
        return Refuse("Numbered days in BYDAY, such as 2MO, do not go with BYWEEKNO.");
    }
    const bool has_other_list =
        !parts.by_day.empty() || std::ranges::any_of(kLists, [&](const NumberList& list) {
          return list.values != &RuleParts::by_set_position && !(parts.*list.values).empty();
        });
    if (!parts.by_set_position.empty() && !has_other_list)
      return Refuse("BYSETPOS chooses among what another part such as BYDAY gives: there is none.");
    for (const NumberList& list : kLists) SortUnique(parts.*list.values);
    SortUnique(parts.by_day);
    return {};
  }

  template <class T>
  static void SortUnique(std::vector<T>& values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }

  LocalTime start_;
  Rule rule_;
  std::vector<std::string> seen_;
  bool has_frequency_ = false;
};

Result<Rule> Rule::Parse(std::string_view rrule, LocalTime start, std::string_view zone) {
  return RuleReader(start, zone).Read(rrule);
}

Result<Rule> Rule::With(RuleParts parts, std::optional<LocalTime> until, std::string_view zone) const {
  return RuleReader(LocalTime{}, zone).Change(*this, std::move(parts), until);
}

Rule Rule::Endless() const {
  Rule endless = *this;
  endless.count_.reset();
  endless.until_.reset();
  endless.until_text_.clear();
  endless.WriteText();
  return endless;
}

void Rule::WriteText() {
  text_ = "FREQ=" + std::string(kFrequencies[static_cast<size_t>(parts_.frequency)]);
  if (!until_text_.empty()) text_ += ";UNTIL=" + until_text_;
  if (count_) text_ += ";COUNT=" + std::to_string(*count_);
  if (parts_.interval != 1) text_ += ";INTERVAL=" + std::to_string(parts_.interval);
  const auto write_list = [this](std::string_view name, const auto& values, const auto& write) {
    if (values.empty()) return;
    text_.append(";").append(name).append("=");
    for (const auto& value : values) {
      write(value);
      text_ += ',';
    }
    text_.pop_back();
  };
  for (const NumberList& list : kLists) {
    if (list.values == &RuleParts::by_set_position) {
      write_list("BYDAY", parts_.by_day, [this](const NumberedWeekday& day) {
        if (day.ordinal != 0) text_ += std::to_string(day.ordinal);
        text_ += kWeekdays[static_cast<size_t>(day.day)];
      });
    }
    write_list(list.name, parts_.*list.values, [this](int value) { text_ += std::to_string(value); });
  }
  if (parts_.week_start != 0)
    text_.append(";WKST=").append(kWeekdays[static_cast<size_t>(parts_.week_start)]);
}

Rule EndingBefore(const Rule& rule, LocalTime time) {
  Rule ending = rule;
  ending.count_.reset();
  constexpr std::chrono::seconds second(1);
  const LocalTime last = std::clamp(time, kLocalMin + second, kLocalMax + second) - second;
  if (!ending.until_ || last < *ending.until_) RuleReader::SetUntil(ending, last);
  ending.WriteText();
  return ending;
}

Result<Rule> Continuing(const Rule& rule, int64_t already) {
  if (!rule.count_ || already <= 0) return rule;
  if (already >= *rule.count_)
    return Fail(
        Invalid("The series ends after " + std::to_string(*rule.count_) + " times: nothing is left of it."));
  Rule continuing = rule;
  *continuing.count_ -= already;
  continuing.WriteText();
  return continuing;
}

}  // namespace cairn::calendar
