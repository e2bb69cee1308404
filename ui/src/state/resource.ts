// Something that is read from the server and shown as it is: a list of revisions, a review, the account's sessions.

import { signal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { problemOf, type ApiProblem } from "../api/problem";

export class Resource<T> {
  private readonly data_ = signal<T | undefined>(undefined);
  private readonly problem_ = signal<ApiProblem | undefined>(undefined);
  private readonly loading_ = signal(false);
  private latest: AbortController | undefined;

  constructor(private readonly load: (signal: AbortSignal) => Promise<T>) {}

  /** undefined until it is there; kept while it is read again. */
  get data(): ReadonlySignal<T | undefined> {
    return this.data_;
  }

  get problem(): ReadonlySignal<ApiProblem | undefined> {
    return this.problem_;
  }

  get loading(): ReadonlySignal<boolean> {
    return this.loading_;
  }

  /** Reads anew; a read under way is given up. Failures are in `problem`. */
  async refresh(): Promise<void> {
    this.latest?.abort();
    const mine = new AbortController();
    this.latest = mine;
    this.loading_.value = true;
    try {
      const data = await this.load(mine.signal);
      if (this.latest !== mine) return;
      this.data_.value = data;
      this.problem_.value = undefined;
    } catch (thrown) {
      if (this.latest === mine) this.problem_.value = problemOf(thrown);
    } finally {
      if (this.latest === mine) this.loading_.value = false;
    }
  }

  /** Shows this instead, e.g. without the entry that was just removed. */
  set(data: T): void {
    this.data_.value = data;
  }

  stop(): void {
    this.latest?.abort();
    this.latest = undefined;
  }
}

/** A resource that is read when the component appears and whenever `key` changes. */
export function useResource<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  // The key stands for everything `load` depends on.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const resource = useMemo(() => new Resource(load), [key]);
  useEffect(() => {
    void resource.refresh();
    return () => resource.stop();
  }, [resource]);
  return resource;
}
