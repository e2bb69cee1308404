// What an operation does to the board, before the server has answered. Pure.

import { slotOf } from "./card_place";
import { kUsualPriority, type Board, type BoardOp, type Column, type Place, type Task, type TaskChange } from "./board_types";

export function applyBoardOp(board: Board, op: BoardOp): Board {
  if (op.kind === "add") {
    if (cardIn(board, op.id)) return board;
    const card: Task = {
      taskId: op.id,
      title: op.title,
      status: op.status,
      priority: kUsualPriority,
      rank: "",
      tags: [],
      version: 0,
      createdAt: op.at,
      updatedAt: op.at,
    };
    return withCard(board, card, { status: op.status, priority: kUsualPriority });
  }
  const card = cardIn(board, op.task.taskId);
  if (!card) return board;
  switch (op.kind) {
    case "remove":
      return without(board, card.taskId);
    case "move":
      return withCard(without(board, card.taskId), { ...card, status: op.place.status, priority: op.place.priority }, op.place);
    case "complete": {
      const status = op.done ? "DONE" : "TODO";
      if (card.status === status) return board;
      return withCard(without(board, card.taskId), { ...card, status }, { status, priority: card.priority });
    }
    case "repeat":
    case "change": {
      const changed = withChange(card, op.change);
      if (op.kind === "repeat") {
        if (op.rrule === null) delete changed.masterId;
        else changed.masterId ??= ""; // it gets its series from the server
      }
      const stays = changed.status === card.status && changed.priority === card.priority;
      if (stays)
        return {
          columns: board.columns.map((column) => ({ ...column, cards: column.cards.map((other) => (other === card ? changed : other)) })),
        };
      return withCard(without(board, card.taskId), changed, { status: changed.status, priority: changed.priority });
    }
  }
}

export function cardIn(board: Board, taskId: string): Task | undefined {
  for (const { cards } of board.columns) {
    const found = cards.find((card) => card.taskId === taskId);
    if (found) return found;
  }
  return undefined;
}

export function withChange(card: Task, change: TaskChange): Task {
  const { description, dueUtc, tags, ...rest } = change;
  const changed: Task = { ...card, ...rest };
  if (tags !== undefined) changed.tags = tags ?? [];
  if (description === null) delete changed.description;
  else if (description !== undefined) changed.description = description;
  if (dueUtc === null) delete changed.dueUtc;
  else if (dueUtc !== undefined) changed.dueUtc = dueUtc;
  return changed;
}

function without(board: Board, taskId: string): Board {
  return {
    columns: board.columns.map((column) => {
      const cards = column.cards.filter((card) => card.taskId !== taskId);
      return cards.length === column.cards.length ? column : counted({ ...column, cards, count: column.count - 1 });
    }),
  };
}

/** A column that is not shown takes the card out of sight. */
function withCard(board: Board, card: Task, place: Place): Board {
  return {
    columns: board.columns.map((column) => {
      if (column.status !== place.status) return column;
      const slot = slotOf(column.cards, place);
      return counted({ ...column, cards: [...column.cards.slice(0, slot), card, ...column.cards.slice(slot)], count: column.count + 1 });
    }),
  };
}

function counted(column: Column): Column {
  return { ...column, isOverLimit: column.limit !== undefined && column.count > column.limit };
}
