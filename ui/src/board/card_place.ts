// Where a card lands. Cards lie by priority, and within one in the order they were put in: a place between two cards is one
// between two priorities, too. Within its column a card takes the priority of its new place; whoever moves it to another
// column means the column, so there it keeps its own. Pure.

import type { Place, Status, Task } from "./board_types";

/** `cards` are those of the column without the one that moves; `slot` is before which of them (0 to length). */
export function placeAt(cards: readonly Task[], slot: number, status: Status, priority: number): Place {
  const above = cards[slot - 1];
  const below = cards[slot];
  const lowest = above?.priority ?? 1;
  const highest = below?.priority ?? 4;
  // It keeps its priority where it can be between these two, otherwise it takes that of the nearer.
  const own = Math.max(lowest, Math.min(priority, highest));
  const place = { status, priority: own };
  if (above && above.priority === own) return { ...place, afterId: above.taskId };
  if (below && below.priority === own) return { ...place, beforeId: below.taskId };
  return place;
}

/** In another column: as near to the slot as its priority allows. */
export function placeKeeping(cards: readonly Task[], slot: number, status: Status, priority: number): Place {
  const first = cards.findIndex((card) => card.priority >= priority);
  const after = cards.findIndex((card) => card.priority > priority);
  const lowest = first < 0 ? cards.length : first;
  const highest = after < 0 ? cards.length : after;
  return placeAt(cards, Math.max(lowest, Math.min(slot, highest)), status, priority);
}

/** Where a card lies now, so that it can be put there again. */
export function placeOf(cards: readonly Task[], task: Task): Place {
  const at = cards.findIndex(({ taskId }) => taskId === task.taskId);
  const place = { status: task.status, priority: task.priority };
  const above = at < 0 ? undefined : cards[at - 1];
  const below = at < 0 ? undefined : cards[at + 1];
  if (above?.priority === task.priority) return { ...place, afterId: above.taskId };
  if (below?.priority === task.priority) return { ...place, beforeId: below.taskId };
  return place;
}

/** Beside its old neighbour only if that is still there; otherwise behind those of its priority. */
export function placeAgain(cards: readonly Task[], { status, priority, afterId, beforeId }: Place): Place {
  const isThere = (id: string | undefined) => cards.some((card) => card.taskId === id && card.priority === priority);
  return {
    status,
    priority,
    ...(isThere(afterId) ? { afterId } : isThere(beforeId) ? { beforeId } : {}),
  };
}

/** Before which of the cards it comes to lie. */
export function slotOf(cards: readonly Task[], { priority, afterId, beforeId }: Place): number {
  const after = cards.findIndex(({ taskId }) => taskId === afterId);
  if (after >= 0) return after + 1;
  const before = cards.findIndex(({ taskId }) => taskId === beforeId);
  if (before >= 0) return before;
  const lower = cards.findIndex((card) => card.priority > priority);
  return lower < 0 ? cards.length : lower;
}

/** One up (-1) or down (1) in its column; null: it is at the end, or everything beside it has another priority it takes on. */
export function placeBeside(cards: readonly Task[], taskId: string, by: 1 | -1): Place | null {
  const at = cards.findIndex((card) => card.taskId === taskId);
  const card = cards[at];
  if (!card) return null;
  const rest = cards.filter((_, index) => index !== at);
  const neighbour = by === 1 ? rest[at] : rest[at - 1];
  if (!neighbour) {
    // At the edge there may still be a priority to go to.
    const priority = card.priority + by;
    return priority < 1 || priority > 4 ? null : { status: card.status, priority };
  }
  // To the edge of another priority first, so that nothing is passed unseen.
  if (neighbour.priority !== card.priority) {
    const priority = card.priority + by;
    if (priority !== neighbour.priority) return { status: card.status, priority };
    return { status: card.status, priority, ...(by === 1 ? { beforeId: neighbour.taskId } : { afterId: neighbour.taskId }) };
  }
  return { status: card.status, priority: card.priority, ...(by === 1 ? { afterId: neighbour.taskId } : { beforeId: neighbour.taskId }) };
}
