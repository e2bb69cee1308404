// A partition, and its address in this page.

export interface Place {
  table: string;
  partition: string;
}

export function placeOf(query: URLSearchParams): Place | null {
  const table = query.get("table");
  const partition = query.get("partition");
  return table && partition ? { table, partition } : null;
}

export function addressOf({ table, partition }: Place): string {
  return `/data?${new URLSearchParams({ table, partition }).toString()}`;
}

export function samePlace(one: Place | null, other: Place | null): boolean {
  return one?.table === other?.table && one?.partition === other?.partition;
}

/** The day whose plan a partition belongs to: changes of it are told in a room of their own. */
export function planDayOf(place: Place | null): string | null {
  return /#PLAN#(\d{4}-\d\d-\d\d)/.exec(place?.partition ?? "")?.[1] ?? null;
}
