// Notes that are typed and not saved yet, by node. They outlive the panel, the page and a reload of the tab.

import { signal } from "@preact/signals";

export interface NoteDraft {
  text: string;
  /** The revision that was shown when the typing began. */
  seenRevId: string | undefined;
}

export class NoteDrafts {
  private readonly drafts = signal<ReadonlyMap<string, NoteDraft>>(new Map());

  constructor(private readonly memory: string) {
    try {
      const kept: unknown = JSON.parse(sessionStorage.getItem(memory) ?? "[]");
      if (Array.isArray(kept)) this.drafts.value = new Map(kept as [string, NoteDraft][]);
    } catch {
      return; // no storage
    }
  }

  get(nodeId: string): NoteDraft | undefined {
    return this.drafts.value.get(nodeId);
  }

  set(nodeId: string, draft: NoteDraft | undefined): void {
    const drafts = new Map(this.drafts.peek());
    if (draft) drafts.set(nodeId, draft);
    else drafts.delete(nodeId);
    this.drafts.value = drafts;
    try {
      sessionStorage.setItem(this.memory, JSON.stringify([...drafts]));
    } catch {
      return;
    }
  }
}
