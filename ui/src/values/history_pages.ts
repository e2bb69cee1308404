// The log, page by page, newest first. When something new happens, only what is new is read.

import { signal } from "@preact/signals";
import { api, problemOf, type ApiProblem, type Schemas } from "../api";

export type Commit = Schemas["Commit"];
export type Source = Commit["source"];

const kPage = 25;

export class HistoryPages {
  readonly items = signal<readonly Commit[] | undefined>(undefined);
  readonly problem = signal<ApiProblem | undefined>(undefined);
  readonly loading = signal(false);
  readonly hasMore = signal(false);
  private nextCursor: string | undefined;
  private turn = 0;

  constructor(readonly source: Source | undefined) {}

  /** The newest page; what was read before stays behind it. */
  async readNewest(): Promise<void> {
    const mine = ++this.turn;
    const known = this.items.peek() ?? [];
    await this.read(undefined, (list) => {
      if (mine !== this.turn) return;
      const joint = list.items.findIndex(({ revId }) => revId === known[0]?.revId);
      if (joint >= 0) {
        this.items.value = [...list.items.slice(0, joint), ...known];
        return; // the cursor is still that of the last page
      }
      this.items.value = list.items;
      this.setCursor(list.nextCursor);
    });
  }

  async readMore(): Promise<void> {
    if (this.nextCursor === undefined || this.loading.peek()) return;
    await this.read(this.nextCursor, (list) => {
      this.items.value = [...(this.items.peek() ?? []), ...list.items];
      this.setCursor(list.nextCursor);
    });
  }

  private async read(cursor: string | undefined, take: (list: Schemas["CommitList"]) => void): Promise<void> {
    this.loading.value = true;
    try {
      const query = {
        limit: kPage,
        ...(cursor === undefined ? {} : { cursor }),
        ...(this.source === undefined ? {} : { source: this.source }),
      };
      take(await api.get("/api/values/commits", { query }));
      this.problem.value = undefined;
    } catch (thrown) {
      this.problem.value = problemOf(thrown);
    } finally {
      this.loading.value = false;
    }
  }

  private setCursor(cursor: string | undefined): void {
    this.nextCursor = cursor;
    this.hasMore.value = cursor !== undefined;
  }
}

export interface DayOfCommits {
  day: string;
  commits: Commit[];
}

/** By the reader's own days, newest first. */
export function groupByDay(commits: readonly Commit[], dayOf: (moment: string) => string): DayOfCommits[] {
  const days: DayOfCommits[] = [];
  for (const commit of commits) {
    const day = dayOf(commit.revTs);
    const last = days[days.length - 1];
    if (last?.day === day) last.commits.push(commit);
    else days.push({ day, commits: [commit] });
  }
  return days;
}
