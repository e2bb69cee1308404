// One day or a week: hours from top to bottom, whole days above them. Empty time is pressed or dragged over to make an event.

import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { beginDrag, classNames, clockRange, dayText, hourText, Icon, momentOf, tooltip, useKeepFocus } from "../parts";
import { BarView } from "./bar_view";
import type { CalendarModel } from "./calendar_model";
import { barsOf, columnsOf, isLong, kDayMinutes, kSnapMinutes, localAt, wallOf, type DayColumn } from "./day_layout";
import { EventView, kPixelsPerMinute } from "./event_view";
import { iconOf, spokenText } from "./item_words";
import "./time_grid.css";

const kHours = Array.from({ length: 23 }, (_, index) => index + 1);
/** Of the sign of a task or reminder, with the air below it. */
const kMarkPixels = 25;
const kHeight = kDayMinutes * kPixelsPerMinute;

export function TimeGrid({ model }: { model: CalendarModel }) {
  const { items, days, zone, now, today } = model;
  const scroller = useRef<HTMLDivElement>(null);
  useKeepFocus(scroller);
  const columns = useMemo(() => columnsOf(items, days, zone), [items, days, zone]);
  const bars = useMemo(() => barsOf(items.filter(isLong), days, zone), [items, days, zone]);
  const clock = wallOf(now, zone);
  const first = days[0]!;

  // Where the day is: now, or the morning.
  useLayoutEffect(() => {
    const earliest = Math.min(8 * 60, ...columns.flatMap(({ events }) => events.map(({ span }) => span.start)));
    const wanted = days.includes(today) ? Math.min(Math.max(earliest, clock.minute - 120), clock.minute) : earliest;
    scroller.current!.scrollTop = Math.max(0, wanted * kPixelsPerMinute - 16);
    // Once for what is shown: later the user decides.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [first, days.length]);

  const perDay = `repeat(${days.length}, minmax(0, 1fr))`;
  return (
    <div class="time-grid calendar-days" ref={scroller} tabIndex={0} role="group" aria-label="Hours">
      <div class="time-grid-top">
        <div class="time-grid-head" style={{ gridTemplateColumns: `var(--hours) ${perDay}` }}>
          <span class="time-grid-corner" />
          {days.map((day) => (
            <button
              key={day}
              type="button"
              class={classNames("day-head", day === today && "day-head-today")}
              aria-current={day === today ? "date" : undefined}
              onClick={() => model.onDay(day)}
            >
              <span class="day-head-name">{kWeekday.format(new Date(`${day}T00:00:00Z`))}</span>
              <span class="day-head-number numbers">{Number(day.slice(8))}</span>
              <span class="unseen">{kMonth.format(new Date(`${day}T00:00:00Z`))}</span>
            </button>
          ))}
        </div>
        <div class="all-day">
          <span class="all-day-label">all day</span>
          <div class="all-day-days">
            <div class="all-day-cells" style={{ gridTemplateColumns: perDay }}>
              {days.map((day) => (
                <div
                  key={day}
                  class="all-day-cell"
                  data-day={day}
                  onClick={() =>
                    model.onNew({ startLocal: localAt(day, 0), endLocal: localAt(day, kDayMinutes), zone: null, allDay: true })
                  }
                />
              ))}
            </div>
            {bars.length > 0 && (
              <ul class="bars" role="list" aria-label="Whole days" style={{ gridTemplateColumns: perDay }}>
                {bars.map(({ item, span, lane }) => (
                  <BarView key={item.id} item={item} days={days} from={span.start} to={span.end} lane={lane} model={model} />
                ))}
              </ul>
            )}
          </div>
        </div>
      </div>
      <div class="time-grid-surface" style={{ height: `${kHeight}px`, gridTemplateColumns: `var(--hours) ${perDay}` }}>
        <div class="hour-labels" aria-hidden="true">
          {kHours.map((hour) => (
            <span key={hour} class="hour-label numbers" style={{ top: `${hour * 60 * kPixelsPerMinute}px` }}>
              {hourText(`2026-01-01T${String(hour).padStart(2, "0")}:00:00Z`, "UTC")}
            </span>
          ))}
        </div>
        {columns.map((column) => (
          <Column key={column.day} column={column} model={model} nowMinute={clock.day === column.day ? clock.minute : null} />
        ))}
      </div>
    </div>
  );
}

/** Signs of one time lie below each other. */
function belowEachOther(marks: DayColumn["marks"]): { item: DayColumn["marks"][number]["item"]; top: number }[] {
  let free = 0;
  return [...marks]
    .sort((one, other) => one.minute - other.minute)
    .map(({ item, minute }) => {
      const top = Math.max(minute * kPixelsPerMinute, free);
      free = top + kMarkPixels;
      return { item, top };
    });
}

const kMonth = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });
const kWeekday = new Intl.DateTimeFormat("en-GB", { weekday: "short", timeZone: "UTC" });

function Column({ column, model, nowMinute }: { column: DayColumn; model: CalendarModel; nowMinute: number | null }) {
  const { zone } = model;
  const element = useRef<HTMLDivElement>(null);
  const ghost = useRef<HTMLDivElement>(null);
  const { day, events, marks } = column;

  const minuteAt = (y: number, round: (value: number) => number) => {
    const minute = (y - element.current!.getBoundingClientRect().top) / kPixelsPerMinute;
    return Math.max(0, Math.min(round(minute / kSnapMinutes) * kSnapMinutes, kDayMinutes));
  };
  const draft = (start: number, end: number) =>
    model.onNew({ startLocal: localAt(day, start), endLocal: localAt(day, end), zone, allDay: false });

  function showGhost(span: { start: number; end: number } | null) {
    const box = ghost.current!;
    box.hidden = span === null;
    if (!span) return;
    box.style.transform = `translateY(${span.start * kPixelsPerMinute}px)`;
    box.style.height = `${(span.end - span.start) * kPixelsPerMinute}px`;
    const moment = (minute: number) => momentOf(localAt(day, minute), zone);
    box.textContent = clockRange(moment(span.start), moment(span.end), zone);
  }

  function beginDraft(event: PointerEvent) {
    let from = 0;
    const spanTo = (y: number) => {
      const to = minuteAt(y, Math.round);
      return { start: Math.min(from, to), end: Math.max(from, to, Math.min(from, to) + kSnapMinutes) };
    };
    beginDrag(event, {
      element: element.current!,
      follow: "none",
      axis: "y",
      onStart: (move) => {
        from = minuteAt(move.y - move.contentDy, Math.round);
      },
      onMove: (move) => showGhost(spanTo(move.y)),
      onDrop: (move) => {
        const { start, end } = spanTo(move.y);
        draft(start, end);
      },
      onEnd: () => showGhost(null),
    });
  }

  return (
    <div
      ref={element}
      class={classNames("day-column", day === model.today && "day-column-today")}
      data-column={day}
      onPointerDown={beginDraft}
      onClick={(event) => {
        const start = Math.min(minuteAt(event.clientY, Math.floor), kDayMinutes - 60);
        draft(start, start + 60);
      }}
    >
      <ol class="events" role="list" aria-label={`Events of ${dayText(day)}`}>
        {events.map(({ item, span, column: at, columns }) => (
          <EventView key={item.id} item={item} span={span} column={at} columns={columns} model={model} />
        ))}
      </ol>
      {marks.length > 0 && (
        <ul class="marks" role="list" aria-label={`Tasks and reminders of ${dayText(day)}`}>
          {belowEachOther(marks).map(({ item, top }) => (
            <li key={item.id} style={{ top: `${top}px` }} class={classNames("mark-item", item.done && "mark-item-done")}>
              <button
                type="button"
                aria-label={spokenText(item, zone)}
                {...tooltip(item.title)}
                onPointerDown={(event) => event.stopPropagation()}
                onClick={(event) => {
                  event.stopPropagation();
                  model.onEdit(item);
                }}
              >
                <Icon name={iconOf(item) ?? "action"} size={13} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="event-ghost numbers" ref={ghost} hidden aria-hidden="true" />
      {nowMinute !== null && (
        <div class="calendar-now" style={{ transform: `translateY(${nowMinute * kPixelsPerMinute}px)` }} aria-hidden="true" />
      )}
    </div>
  );
}
