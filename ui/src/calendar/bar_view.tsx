// Something as one line over its days: whole days above the hours, everything in the month. Dragged from day to day, and what
// lasts days by its ends; all of it by keys as well.

import { useRef, useState } from "preact/hooks";
import { addDays, beginDrag, classNames, clockText, daysBetween, Icon } from "../parts";
import type { CalendarModel } from "./calendar_model";
import { canOpen, isEvent, isMovable, type Item } from "./calendar_types";
import { DayAim } from "./day_aim";
import { daySpan, isLong } from "./day_layout";
import { besidesText, iconOf, toneOf } from "./item_words";
import { movedTimes, resizedDays, type Edge } from "./move_times";

interface BarViewProps {
  item: Item;
  /** The row of days it lies in. */
  days: readonly string[];
  /** Columns of the row, from 0; the end not included. */
  from: number;
  to: number;
  lane: number;
  model: CalendarModel;
}

export function BarView({ item, days, from, to, lane, model }: BarViewProps) {
  const { zone, actions } = model;
  const element = useRef<HTMLLIElement>(null);
  /** Its columns while one of its ends is dragged. */
  const [dragged, setDragged] = useState<string | null>(null);
  const movable = isMovable(item);
  const icon = iconOf(item);
  const long = isLong(item);
  const span = daySpan(item, zone);
  // What goes on in another row has its end there.
  const hasStart = movable && long && days[from] === span.from;
  const hasEnd = movable && long && addDays(days[to - 1]!, 1) === span.to;
  const columns = (start: number, end: number) => `${start + 1} / ${end + 1}`;

  const moveBy = (by: number) => by !== 0 && void actions.place(item, movedTimes(item, { days: by, minutes: 0 }, zone));
  const resizeBy = (edge: Edge, by: number) => by !== 0 && void actions.place(item, resizedDays(item, edge, by));

  function beginMove(event: PointerEvent) {
    event.stopPropagation();
    if (!movable) return;
    let aim: DayAim | null = null;
    let pressed: string | null = null;
    let aimed: string | null = null;
    beginDrag(event, {
      element: element.current!,
      onStart: (move) => {
        aim = new DayAim(element.current!);
        pressed = aim.at(move.x - move.dx, move.y - move.dy);
      },
      onMove: (move) => {
        aimed = aim!.at(move.x, move.y);
        aim!.mark(aimed);
      },
      onDrop: () => pressed !== null && aimed !== null && moveBy(daysBetween(pressed, aimed)),
      onEnd: () => aim?.mark(null),
    });
  }

  function beginResize(event: PointerEvent, edge: Edge) {
    event.stopPropagation();
    const at = edge === "start" ? span.from : addDays(span.to, -1);
    let aim: DayAim | null = null;
    let by = 0;
    beginDrag(event, {
      element: element.current!,
      follow: "none",
      touch: "now",
      onStart: () => (aim = new DayAim(element.current!)),
      onMove: (move) => {
        const aimed = aim!.at(move.x, move.y);
        if (aimed === null) return;
        aim!.mark(aimed);
        by = daysBetween(at, aimed);
        const start = edge === "start" ? Math.max(0, Math.min(from + by, to - 1)) : from;
        const end = edge === "end" ? Math.min(days.length, Math.max(to + by, from + 1)) : to;
        setDragged(columns(start, end));
      },
      onDrop: () => resizeBy(edge, by),
      onEnd: () => {
        aim?.mark(null);
        setDragged(null);
      },
    });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!canOpen(item) || event.ctrlKey || event.metaKey) return;
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
    if (by !== undefined && movable && event.shiftKey && long) resizeBy(event.altKey ? "start" : "end", by);
    else if (event.shiftKey || event.altKey) return;
    else if (by !== undefined && movable) moveBy(by);
    else if (event.key === "Delete" || event.key === "Backspace") void actions.remove(item);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <li
      ref={element}
      data-id={item.id}
      class={classNames(
        "bar",
        `tone-${toneOf(item)}`,
        long ? "bar-long" : "bar-timed",
        item.done && "bar-done",
        !isEvent(item) && "bar-mark",
      )}
      style={{ gridColumn: dragged ?? columns(from, to), gridRow: `${lane + 1}` }}
      onPointerDown={beginMove}
    >
      <button
        type="button"
        class="bar-face"
        onClick={(event) => {
          event.stopPropagation();
          model.onEdit(item);
        }}
        onKeyDown={onKeyDown}
      >
        {icon && <Icon name={icon} size={12} />}
        <span class="one-line">{item.title}</span>
        {!long && <span class="bar-time numbers">{clockText(item.start, zone)}</span>}
        <span class="unseen">{besidesText(item, zone)}</span>
      </button>
      {hasStart && <span class="bar-edge bar-edge-start" aria-hidden="true" onPointerDown={(event) => beginResize(event, "start")} />}
      {hasEnd && <span class="bar-edge bar-edge-end" aria-hidden="true" onPointerDown={(event) => beginResize(event, "end")} />}
    </li>
  );
}
