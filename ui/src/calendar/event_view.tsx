// An event among the hours: dragged to another time or day, resized at its edges, all of it by keys as well.

import { useEffect, useRef, useState } from "preact/hooks";
import { beginDrag, classNames, clockRange, Icon, type Span } from "../parts";
import { withTimes } from "./apply_calendar";
import type { CalendarModel } from "./calendar_model";
import { canOpen, isMovable, type Item, type Times } from "./calendar_types";
import { kSnapMinutes } from "./day_layout";
import { besidesText, rangeText, toneOf } from "./item_words";
import { momentsIn, movedTimes, resizedTimes, shiftOf } from "./move_times";

export const kPixelsPerMinute = 0.8;

interface EventViewProps {
  item: Item;
  span: Span;
  column: number;
  columns: number;
  model: CalendarModel;
}

interface Nudge {
  days: number;
  minutes: number;
  longer: number;
}

const kNotNudged: Nudge = { days: 0, minutes: 0, longer: 0 };

/** Presses of arrow keys become one change once they stop. */
const kSettleMs = 500;

export function EventView({ item, span, column, columns, model }: EventViewProps) {
  const { zone, actions, now } = model;
  const element = useRef<HTMLLIElement>(null);
  const settle = useRef<{ timer: ReturnType<typeof setTimeout>; run: () => void } | null>(null);
  const [nudged, setNudged] = useState(kNotNudged);
  const newest = useRef(kNotNudged); // keys may come faster than renderings
  /** What it says while it is dragged. Its place is moved by hand, the text never: a text node that is replaced by hand is lost to Preact. */
  const [draggedTime, setDraggedTime] = useState<string | null>(null);
  const movable = isMovable(item);
  const minutes = span.end - span.start;

  useEffect(() => () => settle.current?.run(), []);

  const timesText = (times: Times) => {
    const { start, end } = momentsIn(times, zone);
    return clockRange(start, end, zone);
  };
  const release = () => {
    setDraggedTime(null);
    if (element.current) Object.assign(element.current.style, { transform: "", minHeight: "", maxHeight: "" });
  };

  function beginMove(event: PointerEvent) {
    event.stopPropagation();
    if (!movable || (event.target as Element).closest(".event-edge")) return;
    const columnWidth = element.current!.closest<HTMLElement>(".day-column")!.getBoundingClientRect().width;
    let times: Times | null = null;
    beginDrag(event, {
      element: element.current!,
      follow: "none",
      onMove: (move) => {
        const by = shiftOf(span.start, { dx: move.contentDx, dy: move.contentDy }, { columnWidth, pixelsPerMinute: kPixelsPerMinute });
        times = movedTimes(item, by, zone);
        element.current!.style.transform = `translate(${by.days * columnWidth}px, ${by.minutes * kPixelsPerMinute}px)`;
        setDraggedTime(timesText(times));
      },
      onDrop: () => times && void actions.place(item, times),
      onEnd: release,
    });
  }

  function beginResize(event: PointerEvent, edge: "start" | "end") {
    event.stopPropagation();
    let times: Times | null = null;
    beginDrag(event, {
      element: element.current!,
      follow: "none",
      axis: "y",
      touch: "now",
      onMove: (move) => {
        const at = span[edge];
        const to = Math.round((at + move.contentDy / kPixelsPerMinute) / kSnapMinutes) * kSnapMinutes;
        const by = edge === "start" ? Math.min(to, span.end - kSnapMinutes) - at : Math.max(to, span.start + kSnapMinutes) - at;
        times = resizedTimes(item, edge, by, zone);
        const style = element.current!.style;
        if (edge === "start") style.transform = `translateY(${by * kPixelsPerMinute}px)`;
        style.minHeight = style.maxHeight = `${(minutes + (edge === "start" ? -by : by)) * kPixelsPerMinute}px`;
        setDraggedTime(timesText(times));
      },
      onDrop: () => times && void actions.place(item, times),
      onEnd: release,
    });
  }

  function nudge(by: Partial<Nudge>) {
    const before = newest.current;
    const next = {
      days: before.days + (by.days ?? 0),
      minutes: before.minutes + (by.minutes ?? 0),
      longer: Math.max(before.longer + (by.longer ?? 0), kSnapMinutes - minutes),
    };
    newest.current = next;
    setNudged(next);
    if (settle.current) clearTimeout(settle.current.timer);
    const run = () => {
      clearTimeout(settle.current?.timer);
      settle.current = null;
      newest.current = kNotNudged;
      setNudged(kNotNudged);
      const moved = movedTimes(item, next, zone);
      void actions.place(item, next.longer === 0 ? moved : resizedTimes(withTimes(item, moved, zone), "end", next.longer, zone));
    };
    settle.current = { timer: setTimeout(run, kSettleMs), run };
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!canOpen(item) || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = movable ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
    const days = movable ? { ArrowLeft: -1, ArrowRight: 1 }[event.key] : undefined;
    if (step !== undefined && event.shiftKey) nudge({ longer: step * kSnapMinutes });
    else if (step !== undefined) nudge({ minutes: step * kSnapMinutes });
    else if (days !== undefined) nudge({ days });
    else if (event.key === "Delete" || event.key === "Backspace") void actions.remove(item);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const showsPlace = item.location !== undefined && minutes >= 60;
  const isNudged = nudged.days !== 0 || nudged.minutes !== 0 || nudged.longer !== 0;
  const width = 100 / columns;
  return (
    <li
      ref={element}
      data-id={item.id}
      class={classNames(
        "event",
        `tone-${toneOf(item)}`,
        Date.parse(item.end) <= now && "event-over",
        minutes < 45 && "event-short",
        !movable && "event-fixed",
        (isNudged || draggedTime !== null) && "drag-lifted",
      )}
      style={{
        top: `${span.start * kPixelsPerMinute}px`,
        height: `${(minutes + nudged.longer) * kPixelsPerMinute}px`,
        left: `${column * width}%`,
        width: `calc(${width}% - 2px)`,
        transform: isNudged ? `translate(calc(${nudged.days * columns} * (100% + 2px)), ${nudged.minutes * kPixelsPerMinute}px)` : "",
      }}
      onPointerDown={beginMove}
    >
      <button
        type="button"
        class="event-face"
        onClick={(event) => {
          event.stopPropagation();
          model.onEdit(item);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => settle.current?.run()}
      >
        <span class="event-title">{item.title}</span>
        <span class="event-time numbers">
          <span>{draggedTime ?? rangeText(item, zone)}</span>
          {item.entityType === "INSTANCE" && <Icon name="repeat" size={11} />}
        </span>
        {showsPlace && <span class="event-place one-line">{item.location}</span>}
        <span class="unseen">{besidesText(item, zone, { time: true, place: showsPlace })}</span>
      </button>
      {movable && <span class="event-edge event-edge-top" aria-hidden="true" onPointerDown={(event) => beginResize(event, "start")} />}
      {movable && <span class="event-edge event-edge-bottom" aria-hidden="true" onPointerDown={(event) => beginResize(event, "end")} />}
    </li>
  );
}
