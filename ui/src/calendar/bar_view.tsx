// Something as one line over its days: whole days above the hours, everything in the month. Dragged from day to day.

import { useRef } from "preact/hooks";
import { beginDrag, classNames, clockText, daysBetween, Icon } from "../parts";
import type { CalendarModel } from "./calendar_model";
import { isEvent, isMovable, type Item } from "./calendar_types";
import { isLong } from "./day_layout";
import { iconOf, spokenText, toneOf } from "./item_words";
import { movedTimes } from "./move_times";

interface BarViewProps {
  item: Item;
  /** Columns of the grid, from 0; the end not included. */
  from: number;
  to: number;
  lane: number;
  model: CalendarModel;
}

export function BarView({ item, from, to, lane, model }: BarViewProps) {
  const { zone, actions } = model;
  const element = useRef<HTMLLIElement>(null);
  const movable = isMovable(item);
  const icon = iconOf(item);
  const long = isLong(item);

  const moveBy = (days: number) => days !== 0 && void actions.place(item, movedTimes(item, { days, minutes: 0 }, zone));

  function beginMove(event: PointerEvent) {
    event.stopPropagation();
    if (!movable) return;
    const grid = element.current!.closest<HTMLElement>(".calendar-days")!;
    let cells: { day: string; box: DOMRect }[] = [];
    let pressed: string | null = null;
    let target: HTMLElement | null = null;
    const dayAt = (x: number, y: number) => cells.find(({ box }) => x >= box.left && x < box.right && y >= box.top && y < box.bottom)?.day ?? null;
    const mark = (day: string | null) => {
      target?.classList.remove("day-aimed");
      target = day === null ? null : grid.querySelector<HTMLElement>(`[data-day="${day}"]`);
      target?.classList.add("day-aimed");
    };
    let aimed: string | null = null;
    beginDrag(event, {
      element: element.current!,
      onStart: (move) => {
        cells = [...grid.querySelectorAll<HTMLElement>("[data-day]")].map((cell) => ({ day: cell.dataset.day!, box: cell.getBoundingClientRect() }));
        pressed = dayAt(move.x - move.dx, move.y - move.dy);
      },
      onMove: (move) => {
        aimed = dayAt(move.x, move.y);
        mark(aimed);
      },
      onDrop: () => pressed !== null && aimed !== null && moveBy(daysBetween(pressed, aimed)),
      onEnd: () => mark(null),
    });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!movable || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
    if (days !== undefined) moveBy(days);
    else if (event.key === "Delete" || event.key === "Backspace") void actions.remove(item);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <li
      ref={element}
      data-id={item.id}
      class={classNames("bar", `tone-${toneOf(item)}`, long ? "bar-long" : "bar-timed", item.done && "bar-done", !isEvent(item) && "bar-mark")}
      style={{ gridColumn: `${from + 1} / ${to + 1}`, gridRow: `${lane + 1}` }}
      onPointerDown={beginMove}
    >
      <button
        type="button"
        class="bar-face"
        aria-label={spokenText(item, zone)}
        onClick={(event) => {
          event.stopPropagation();
          model.onEdit(item);
        }}
        onKeyDown={onKeyDown}
      >
        {icon && <Icon name={icon} size={12} />}
        {!long && <span class="bar-time numbers">{clockText(item.start, zone)}</span>}
        <span class="one-line">{item.title}</span>
      </button>
    </li>
  );
}
