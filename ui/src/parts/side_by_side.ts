// Things on a scale of minutes that lie over each other, side by side; and things of whole days, below each other. Pure.

export interface Span {
  start: number;
  end: number;
}

export interface Placed<T> {
  item: T;
  span: Span;
  /** Column of how many, for those that lie over each other. */
  column: number;
  columns: number;
}

/** Side by side where they overlap: each group of overlapping spans shares the width evenly. */
export function layOut<T>(items: readonly { item: T; span: Span }[]): Placed<T>[] {
  const sorted = [...items].sort((one, other) => one.span.start - other.span.start || other.span.end - one.span.end);
  const placed: Placed<T>[] = [];
  let group: Placed<T>[] = [];
  let groupEnd = -Infinity;
  const close = () => {
    const columns = Math.max(0, ...group.map(({ column }) => column + 1));
    for (const entry of group) entry.columns = columns;
    group = [];
  };
  for (const { item, span } of sorted) {
    if (span.start >= groupEnd) {
      close();
      groupEnd = -Infinity;
    }
    const taken = new Set(group.filter((other) => other.span.end > span.start).map(({ column }) => column));
    let column = 0;
    while (taken.has(column)) ++column;
    const entry = { item, span, column, columns: 1 };
    group.push(entry);
    placed.push(entry);
    groupEnd = Math.max(groupEnd, span.end);
  }
  close();
  return placed;
}

export interface Lane<T> {
  item: T;
  span: Span;
  /** Counted from above. */
  lane: number;
}

/** Below each other where they overlap: each in the first lane that is free. Spans are those of days, the end not included. */
export function layOutLanes<T>(items: readonly { item: T; span: Span }[]): Lane<T>[] {
  const sorted = [...items].sort((one, other) => one.span.start - other.span.start || other.span.end - one.span.end);
  const ends: number[] = [];
  return sorted.map(({ item, span }) => {
    let lane = ends.findIndex((end) => end <= span.start);
    if (lane < 0) lane = ends.length;
    ends[lane] = span.end;
    return { item, span, lane };
  });
}
