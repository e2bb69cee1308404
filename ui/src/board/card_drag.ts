// Dragging a card over the board: which column, before which card. Measured once when the drag begins.

import { beginDrag, listSlot, measureRows, type MeasuredRow } from "../parts";
import { placeAt, placeKeeping, slotOf } from "./card_place";
import type { BoardActions } from "./board_actions";
import { priorityNames, type Place, type Status, type Task } from "./board_types";

interface MeasuredColumn {
  status: Status;
  element: HTMLElement;
  left: number;
  right: number;
  top: number;
  rows: MeasuredRow[];
}

export function beginCardDrag(event: PointerEvent, task: Task, element: HTMLElement, actions: BoardActions): void {
  const board = element.closest<HTMLElement>(".board")!;
  const line = board.querySelector<HTMLElement>(".drop-line")!;
  // Wide boards scroll sideways, others with the page.
  const scroller = board.scrollWidth > board.clientWidth ? board : ((document.scrollingElement ?? document.documentElement) as HTMLElement);
  let columns: MeasuredColumn[] = [];
  let origin = { left: 0, top: 0 };
  let place: Place | null = null;
  beginDrag(event, {
    element,
    scroller,
    onStart: () => {
      const box = board.getBoundingClientRect();
      origin = { left: box.left - board.scrollLeft + scroller.scrollLeft, top: box.top + scroller.scrollTop };
      columns = [...board.querySelectorAll<HTMLElement>("[data-status]")].map((column) => {
        const { left, right } = column.getBoundingClientRect();
        const list = column.querySelector<HTMLElement>(".column-cards")!;
        return {
          status: column.dataset.status as Status,
          element: column,
          left: left + scroller.scrollLeft,
          right: right + scroller.scrollLeft,
          top: list.getBoundingClientRect().top + scroller.scrollTop,
          rows: measureRows(list, scroller).filter(({ id }) => id !== task.taskId),
        };
      });
    },
    onMove: ({ contentX, contentY }) => {
      const column = columns.find(({ left, right }) => contentX >= left && contentX < right);
      for (const other of columns) other.element.classList.toggle("column-aimed", other === column);
      line.hidden = !column;
      place = null;
      if (!column) return;
      const aimed = listSlot(column.rows, contentY);
      const cards =
        actions.board.columns.find(({ status }) => status === column.status)?.cards.filter(({ taskId }) => taskId !== task.taskId) ?? [];
      place = (column.status === task.status ? placeAt : placeKeeping)(cards, aimed, column.status, task.priority);
      // The line is where the card would lie, and says what else would change.
      const slot = slotOf(cards, place);
      if (place.priority === task.priority) delete line.dataset.says;
      else line.dataset.says = priorityNames[place.priority];
      const y = column.rows[slot]?.top ?? column.rows.at(-1)?.bottom ?? column.top;
      line.style.width = `${column.right - column.left - 16}px`;
      line.style.transform = `translate(${column.left - origin.left + 8}px, ${y - origin.top - 4}px)`;
    },
    onDrop: () => place && actions.move(task, place),
    onEnd: () => {
      line.hidden = true;
      for (const column of columns) column.element.classList.remove("column-aimed");
    },
  });
}
