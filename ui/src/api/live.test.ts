import { describe, expect, it } from "vitest";
import { Live, type Socket } from "./live";

class FakeSocket implements Socket {
  said: Record<string, unknown>[] = [];
  closed = false;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  send(text: string) {
    this.said.push(JSON.parse(text) as Record<string, unknown>);
  }
  close() {
    this.closed = true;
  }
  hear(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  lose(code = 1006) {
    this.onclose?.({ code });
  }
}

function setUp(stillSignedIn = true) {
  const sockets: FakeSocket[] = [];
  const planned = new Map<number, { ms: number; run: () => void }>();
  let timers = 0;
  const live = new Live({
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    later: (ms, run) => {
      const id = ++timers;
      planned.set(id, { ms, run });
      return () => planned.delete(id);
    },
    random: () => 0.5,
    stillSignedIn: () => Promise.resolve(stillSignedIn),
  });
  /** Runs what was planned soonest. */
  const runNext = () => {
    const [id, { run }] = [...planned].sort(([, one], [, other]) => one.ms - other.ms)[0]!;
    planned.delete(id);
    run();
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { live, sockets, planned, runNext, settle };
}

describe("Live", () => {
  it("subscribes after the welcome, and reads once it is in the room", async () => {
    const { live, sockets, settle } = setUp();
    live.start();
    sockets[0]!.hear({ type: "welcome" });
    let reads = 0;
    live.join("values:1", () => void ++reads);
    expect(sockets[0]!.said).toEqual([{ type: "subscribe", room: "values:1" }]);
    expect(reads).toBe(0);
    sockets[0]!.hear({ type: "subscribed", room: "values:1", cursor: "c1" });
    await settle();
    expect(reads).toBe(1);
    sockets[0]!.hear({ type: "event", room: "values:1", cursor: "c2" });
    await settle();
    expect(reads).toBe(2);
  });

  it("passes over what does not concern a reader", async () => {
    const { live, sockets, settle } = setUp();
    live.start();
    sockets[0]!.hear({ type: "welcome" });
    const reads = { tasks: 0, all: 0 };
    let fails = false;
    live.join(
      "nexus:1",
      () => {
        ++reads.tasks;
        if (fails) throw new Error("no answer");
      },
      ({ name, data }) => name === "item_changed" && data.entityType === "TASK",
    );
    live.join("nexus:1", () => void ++reads.all);
    sockets[0]!.hear({ type: "subscribed", room: "nexus:1", cursor: "c1" });
    await settle();
    const before = { ...reads };
    const tell = async (entityType: string, cursor: string) => {
      sockets[0]!.hear({ type: "event", room: "nexus:1", event: "item_changed", data: { entityType }, cursor });
      await settle();
      return [reads.tasks - before.tasks, reads.all - before.all];
    };
    expect(await tell("NOTE", "c2")).toEqual([0, 1]);
    expect(await tell("TASK", "c3")).toEqual([1, 2]);
    // What could not be read is read with the next event, whatever that is about.
    fails = true;
    expect(await tell("TASK", "c4")).toEqual([2, 3]);
    fails = false;
    expect(await tell("NOTE", "c5")).toEqual([3, 4]);
    sockets[0]!.hear({ type: "reset", room: "nexus:1", cursor: "c6" });
    await settle();
    expect([reads.tasks - before.tasks, reads.all - before.all]).toEqual([4, 5]);
  });

  it("reads at once while there is no connection", () => {
    const { live } = setUp();
    live.start();
    let reads = 0;
    live.join("values:1", () => void ++reads);
    expect(reads).toBe(1);
  });

  it("reads once more for many events during one read", async () => {
    const { live, sockets, settle } = setUp();
    live.start();
    sockets[0]!.hear({ type: "welcome" });
    const waiting: (() => void)[] = [];
    live.join("values:1", () => new Promise<void>((resolve) => waiting.push(resolve)));
    sockets[0]!.hear({ type: "subscribed", room: "values:1", cursor: "c1" });
    for (const cursor of ["c2", "c3", "c4"]) sockets[0]!.hear({ type: "event", room: "values:1", cursor });
    expect(waiting).toHaveLength(1);
    waiting[0]!();
    await settle();
    expect(waiting).toHaveLength(2);
    waiting[1]!();
    await settle();
    expect(waiting).toHaveLength(2);
  });

  it("comes back with the cursor of what was read, and is told what was missed", async () => {
    const { live, sockets, runNext, settle } = setUp();
    live.start();
    sockets[0]!.hear({ type: "welcome" });
    let reads = 0;
    live.join("values:1", () => void ++reads);
    sockets[0]!.hear({ type: "subscribed", room: "values:1", cursor: "c1" });
    await settle();
    sockets[0]!.lose();
    expect(live.state.value).toBe("waiting");
    await settle();
    runNext();
    sockets[1]!.hear({ type: "welcome" });
    expect(sockets[1]!.said).toEqual([{ type: "subscribe", room: "values:1", cursor: "c1" }]);
    sockets[1]!.hear({ type: "subscribed", room: "values:1", cursor: "c1" });
    await settle();
    expect(reads).toBe(1);
    sockets[1]!.hear({ type: "reset", room: "values:1", cursor: "c9" });
    await settle();
    expect(reads).toBe(2);
  });

  it("keeps the old cursor when a read fails, and reads again", async () => {
    const { live, sockets, planned, runNext, settle } = setUp();
    live.start();
    sockets[0]!.hear({ type: "welcome" });
    planned.clear(); // the ping
    let reads = 0;
    live.join("values:1", () => (++reads === 1 ? Promise.reject(new Error("offline")) : Promise.resolve()));
    sockets[0]!.hear({ type: "subscribed", room: "values:1", cursor: "c1" });
    await settle();
    expect(reads).toBe(1);
    runNext();
    await settle();
    expect(reads).toBe(2);
    expect(planned.size).toBe(0);
  });

  it("waits longer after each failure, and hurries when there is reason to", async () => {
    const { live, sockets, planned, settle } = setUp();
    live.start();
    const waits: number[] = [];
    for (let round = 0; round < 8; ++round) {
      sockets[sockets.length - 1]!.lose();
      await settle();
      waits.push([...planned.values()][0]!.ms);
      live.hurry();
      expect(planned.size).toBe(0);
    }
    expect(waits).toEqual([800, 1600, 3200, 6400, 12800, 25600, 30000, 30000]);
  });

  it("does not come back for somebody who is signed out", async () => {
    const { live, sockets, planned, settle } = setUp(false);
    live.start();
    sockets[0]!.lose(); // refused before the welcome
    await settle();
    expect(planned.size).toBe(0);
    live.hurry();
    sockets[1]!.hear({ type: "welcome" });
    sockets[1]!.lose(4401);
    await settle();
    expect(planned.size).toBe(0);
    live.stop();
    expect(live.state.value).toBe("off");
  });

  it("takes a connection without an answer to its ping for lost", async () => {
    const { live, sockets, runNext, settle } = setUp();
    live.start();
    sockets[0]!.hear({ type: "welcome" });
    runNext();
    expect(sockets[0]!.said).toEqual([{ type: "ping" }]);
    sockets[0]!.hear({ type: "pong" });
    expect(live.state.value).toBe("open");
    runNext();
    runNext();
    await settle();
    expect(live.state.value).toBe("waiting");
    expect(sockets[0]!.closed).toBe(true);
  });

  it("leaves a room with its last member", async () => {
    const { live, sockets, settle } = setUp();
    live.start();
    sockets[0]!.hear({ type: "welcome" });
    const leaveOne = live.join("values:1", () => undefined);
    const leaveOther = live.join("values:1", () => undefined);
    leaveOne();
    expect(sockets[0]!.said).toHaveLength(1);
    leaveOther();
    await settle();
    expect(sockets[0]!.said[1]).toEqual({ type: "unsubscribe", room: "values:1" });
  });
});
