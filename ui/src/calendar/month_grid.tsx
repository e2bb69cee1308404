// A month: weeks from top to bottom, everything as lines below each other. What does not fit leads to its day.

import { useMemo, useRef } from "preact/hooks";
import { classNames, dayText, useKeepFocus } from "../parts";
import { BarView } from "./bar_view";
import type { CalendarModel } from "./calendar_model";
import { barsOf, kDayMinutes, localAt } from "./day_layout";
import "./month_grid.css";

/** Lines below the number of the day; what does not fit is counted below them. */
const kLanes = 3;
const kWeekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

export function MonthGrid({ model }: { model: CalendarModel }) {
  const { days } = model;
  const weeks = useMemo(() => Array.from({ length: days.length / 7 }, (_, index) => days.slice(index * 7, index * 7 + 7)), [days]);
  const grid = useRef<HTMLDivElement>(null);
  useKeepFocus(grid);
  return (
    <div class="month calendar-days" ref={grid}>
      <div class="month-names" aria-hidden="true">
        {kWeekdays.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      {weeks.map((week) => (
        <Week key={week[0]} days={week} model={model} />
      ))}
    </div>
  );
}

function Week({ days, model }: { days: readonly string[]; model: CalendarModel }) {
  const { items, zone, today, day: asked } = model;
  const bars = useMemo(() => barsOf(items, days, zone), [items, days, zone]);
  const shown = bars.filter(({ lane }) => lane < kLanes);
  const hidden = days.map((_, index) => bars.filter(({ lane, span }) => lane >= kLanes && span.start <= index && index < span.end).length);
  return (
    <div class="month-week">
      <div class="month-cells">
        {days.map((day, index) => (
          <div
            key={day}
            data-day={day}
            class={classNames("month-cell", day.slice(0, 7) !== asked.slice(0, 7) && "month-cell-other")}
            onClick={() => model.onNew({ startLocal: localAt(day, 0), endLocal: localAt(day, kDayMinutes), zone: null, allDay: true })}
          >
            <button
              type="button"
              class={classNames("month-day numbers", day === today && "month-day-today")}
              aria-label={dayText(day)}
              aria-current={day === today ? "date" : undefined}
              onClick={(event) => {
                event.stopPropagation();
                model.onDay(day);
              }}
            >
              {Number(day.slice(8))}
            </button>
            {hidden[index]! > 0 && (
              <button
                type="button"
                class="month-more"
                aria-label={`+${hidden[index]} more on ${dayText(day)}`}
                onClick={(event) => {
                  event.stopPropagation();
                  model.onDay(day);
                }}
              >
                +{hidden[index]} <span class="month-more-word">more</span>
              </button>
            )}
          </div>
        ))}
      </div>
      <ul class="bars month-bars" role="list" aria-label={`Week of ${dayText(days[0]!)}`}>
        {shown.map(({ item, span, lane }) => (
          <BarView key={item.id} item={item} days={days} from={span.start} to={span.end} lane={lane} model={model} />
        ))}
      </ul>
    </div>
  );
}
