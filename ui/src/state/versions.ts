// Versions of things that this tab changes: If-Match carries the one that was seen. Who changes the same thing twice in a row has
// seen the outcome of the first change, although the server had not answered yet: the second goes out on that.

interface Versioned {
  id: string;
  version: number;
}

export class Versions {
  private readonly outcomes = new Map<string, Map<number, number>>();

  /** What a change has to be sent on: the version that was seen, or what this tab has made of it since. */
  newest({ id, version }: Versioned): number {
    const outcomes = this.outcomes.get(id);
    let newest = version;
    for (;;) {
      const next = outcomes?.get(newest);
      if (next === undefined) return newest;
      newest = next;
    }
  }

  /** A change of this tab led from one version to another. */
  note({ id, version }: Versioned, outcome: number): void {
    if (outcome <= version) return;
    const outcomes = this.outcomes.get(id) ?? new Map<number, number>();
    this.outcomes.set(id, outcomes.set(version, outcome));
  }

  /** The thing is gone; one that comes back with its id counts from one again. */
  forget(id: string): void {
    this.outcomes.delete(id);
  }
}

/** As a header. */
export const tagOf = (version: number): string => `"${version}"`;
