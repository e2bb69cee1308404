import { afterEach, describe, expect, it } from "vitest";
import { ApiProblem } from "../api/problem";
import { Optimistic, unsavedCount, type Failed } from "./optimistic";

type State = Record<string, string>;
interface Op {
  key: string;
  value: string;
}

const refused = new ApiProblem({ status: 422, code: "invalid", message: "No." });
const offline = new ApiProblem({ status: 0, code: "offline", message: "Nobody." });

/** A server in memory whose answers are let go by hand. */
function setUp(extra: { dependsOn?: (later: Op, failed: Op) => boolean; isNew?: (op: Op) => boolean } = {}) {
  let server: State = {};
  let keys = 0;
  const sends: { op: Op; key: string; done: () => void; fail: (problem: ApiProblem) => void }[] = [];
  const loads: (() => void)[] = [];
  const waits: (() => void)[] = [];
  const told: Failed<Op>[] = [];
  const store = new Optimistic<State, Op>({
    load: () =>
      new Promise((resolve) => {
        const now = server; // what a read sees is decided when it begins
        loads.push(() => resolve(now));
      }),
    send: (op, { idempotencyKey }) =>
      new Promise((resolve, reject) =>
        sends.push({
          op,
          key: idempotencyKey,
          done: () => {
            server = { ...server, [op.key]: op.value };
            resolve();
          },
          fail: reject,
        }),
      ),
    apply: (state, { key, value }) => ({ ...state, [key]: value }),
    onRefused: (failed) => told.push(failed),
    wait: () => new Promise((resolve) => waits.push(resolve)),
    newKey: () => `key-${++keys}`,
    ...extra,
  });
  return { store, sends, loads, waits, told, change: (state: State) => (server = state) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

async function loaded(parts = setUp()) {
  const first = parts.store.refresh();
  parts.loads.shift()!();
  await first;
  return parts;
}

afterEach(() => {
  unsavedCount.value = 0;
});

describe("Optimistic", () => {
  it("shows nothing until it was loaded, then what the server has", async () => {
    const parts = setUp();
    expect(parts.store.view.value).toBeUndefined();
    parts.change({ a: "1" });
    await loaded(parts);
    expect(parts.store.view.value).toEqual({ a: "1" });
  });

  it("shows an operation at once, and without a gap until the server shows it", async () => {
    const { store, sends, loads } = await loaded();
    const seen: (string | undefined)[] = [];
    const stop = store.view.subscribe((view) => seen.push(view?.a));
    const done = store.do({ key: "a", value: "1" });
    sends[0]!.done();
    expect(await done).toBe(true);
    await settle();
    loads.shift()!();
    await settle();
    expect(store.pending.value).toEqual([]);
    expect(store.server.value).toEqual({ a: "1" });
    stop();
    expect(seen[0]).toBeUndefined();
    expect(new Set(seen.slice(1))).toEqual(new Set(["1"]));
  });

  it("says when all that was done is in what the server shows", async () => {
    const { store, sends, loads } = await loaded();
    await store.settled();
    void store.do({ key: "a", value: "1" });
    let isSettled = false;
    void store.settled().then(() => (isSettled = true));
    sends[0]!.done();
    await settle();
    expect(isSettled).toBe(false);
    loads.shift()!();
    await settle();
    expect(isSettled).toBe(true);
  });

  it("sends one after another, in order", async () => {
    const { store, sends } = await loaded();
    void store.do({ key: "a", value: "1" });
    void store.do({ key: "a", value: "2" });
    expect(sends).toHaveLength(1);
    expect(store.view.value).toEqual({ a: "2" });
    sends[0]!.done();
    await settle();
    expect(sends.map(({ op }) => op.value)).toEqual(["1", "2"]);
  });

  it("takes a refused operation back and keeps what was typed", async () => {
    const { store, sends, told } = await loaded();
    const done = store.do({ key: "a", value: "typed" });
    sends[0]!.fail(refused);
    expect(await done).toBe(false);
    expect(store.view.value).toEqual({});
    expect(store.failed.value).toMatchObject([{ op: { value: "typed" }, problem: refused }]);
    expect(told).toHaveLength(1);
    void store.retry(store.failed.value[0]!.id);
    expect(store.failed.value).toEqual([]);
    expect(store.view.value).toEqual({ a: "typed" });
    expect(sends[1]!.key).not.toBe(sends[0]!.key);
  });

  it("refuses what depends on a refused operation along with it", async () => {
    const parts = setUp({ dependsOn: (later, failed) => later.key.startsWith(`${failed.key}.`) });
    const { store, sends } = await loaded(parts);
    const all = ["a", "a.title", "b"].map((key) => store.do({ key, value: "1" }));
    sends[0]!.fail(refused);
    await settle();
    expect(store.view.value).toEqual({ b: "1" });
    expect(store.failed.value.map(({ op }) => op.key)).toEqual(["a", "a.title"]);
    sends[1]!.done();
    expect(await Promise.all(all)).toEqual([false, false, true]);
  });

  it("keeps operations while nobody answers, and sends them again with the same key", async () => {
    const { store, sends, waits } = await loaded();
    void store.do({ key: "a", value: "1" });
    sends[0]!.fail(offline);
    await settle();
    expect(store.pending.value[0]!.state).toBe("waiting");
    expect(store.view.value).toEqual({ a: "1" });
    expect(unsavedCount.value).toBe(1);
    waits[0]!();
    await settle();
    sends[1]!.fail(offline);
    await settle();
    store.resume();
    await settle();
    expect(new Set(sends.map(({ key }) => key)).size).toBe(1);
    expect(sends).toHaveLength(3);
    sends[2]!.done();
    await settle();
    expect(unsavedCount.value).toBe(0);
  });

  it("keeps an operation in view when a load that began before it ends after it", async () => {
    const { store, sends, loads } = await loaded();
    const early = store.refresh();
    void store.do({ key: "a", value: "1" });
    sends[0]!.done();
    await settle();
    loads.shift()!(); // does not contain it
    await settle();
    expect(store.view.value).toEqual({ a: "1" });
    loads.shift()!();
    await early;
    expect(store.server.value).toEqual({ a: "1" });
    expect(store.pending.value).toEqual([]);
  });

  it("does not take a state that may have what is being made already", async () => {
    const { store, sends, loads, change } = setUp({ isNew: ({ key }) => key === "mine" });
    const first = store.refresh();
    loads.shift()!();
    await first;
    const made = store.do({ key: "mine", value: "new" });
    await settle();
    // The server has made it, under a name of its own, and somebody says that something has changed.
    change({ theirs: "new" });
    void store.refresh();
    loads.shift()!();
    await settle();
    expect(store.view.value).toEqual({ mine: "new" });
    change({});
    sends.shift()!.done();
    await made;
    change({ theirs: "new" });
    await settle();
    while (loads.length > 0) {
      loads.shift()!();
      await settle();
    }
    expect(Object.keys(store.view.value!)).toHaveLength(1);
  });

  it("never shows an older state than one it was told", async () => {
    const { store, loads, change } = await loaded();
    const old = store.refresh();
    change({ a: "new" });
    store.adopt({ a: "new" });
    loads.shift()!();
    await settle();
    expect(store.view.value).toEqual({ a: "new" });
    loads.shift()!();
    await old;
    expect(store.view.value).toEqual({ a: "new" });
  });

  it("loads once more for many wishes during a load", async () => {
    const { store, loads } = setUp();
    const all = [store.refresh(), store.refresh(), store.refresh()];
    expect(loads).toHaveLength(1);
    loads[0]!();
    await settle();
    expect(loads).toHaveLength(2);
    loads[1]!();
    await Promise.all(all);
    expect(loads).toHaveLength(2);
  });
});
