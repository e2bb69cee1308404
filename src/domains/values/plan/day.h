// The calendar's days as this domain calls them; calendar/day.h says what they are.
#pragma once

#include "calendar/day.h"
#include "calendar/zone.h"

namespace cairn::values {

using calendar::AddDays;
using calendar::BoundsOf;
using calendar::DayBounds;
using calendar::DayEnd;
using calendar::DayOf;
using calendar::DayRules;
using calendar::DaysBetween;
using calendar::DayStart;
using calendar::FormatDay;
using calendar::IsDay;
using calendar::IsKnownZone;
using calendar::NextDayStart;
using calendar::NormalInstant;
using calendar::ParseDay;
using calendar::ParseInstant;
using calendar::WeekOf;

}  // namespace cairn::values
