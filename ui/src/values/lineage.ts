// Which revision a change was made for. Somebody types a title while other changes of the same tab are sent: the revision
// the typing began with is then no longer the newest, but only our own changes lie between. Those must not look like
// somebody else's.

interface Step {
  next: string;
  /** Somebody else's changes came in with it. */
  merged: boolean;
  touched: ReadonlySet<string>;
}

export class Lineage {
  private readonly steps = new Map<string, Step>();

  /** Our commit on `base` became `next`. */
  note(base: string, next: string, merged: boolean, touched: ReadonlySet<string>): void {
    if (base !== next) this.steps.set(base, { next, merged, touched });
  }

  /**
   * The base to send for a change that was made when `seen` was shown and names `nodes`: past all commits that were ours
   * alone. A merged commit is passed only if we changed the same nodes then or later, for against the older base our own
   * change would be a conflict (or the node be missing).
   */
  baseFor(seen: string, nodes: ReadonlySet<string>): string {
    let base = seen;
    for (let step = this.steps.get(base); step; step = this.steps.get(base)) {
      if (step.merged && !this.touchesLater(base, nodes)) break;
      base = step.next;
    }
    return base;
  }

  private touchesLater(from: string, nodes: ReadonlySet<string>): boolean {
    for (let step = this.steps.get(from); step; step = this.steps.get(step.next)) {
      for (const id of step.touched) if (nodes.has(id)) return true;
    }
    return false;
  }
}
