import { beforeEach, expect, it, vi } from "vitest";
import { ApiProblem } from "../api/problem";
import { cardIn } from "./apply_board";
import type { Board, BoardOp, Task } from "./board_types";

const { api } = vi.hoisted(() => ({ api: { get: vi.fn(), post: vi.fn(), patch: vi.fn(), delete: vi.fn() } }));
vi.mock("../api", async () => ({ api, ...(await import("../api/problem")) }));
const { BoardStore } = await import("./board_store");

const task = (taskId: string, version: number): Task => ({
  taskId,
  title: taskId,
  status: "TODO",
  priority: 3,
  rank: "",
  tags: [],
  version,
  createdAt: "",
  updatedAt: "",
});
const boardWith = (...cards: Task[]): Board => ({
  columns: [{ status: "TODO", title: "To do", count: cards.length, isOverLimit: false, cards }],
});
const order = (store: InstanceType<typeof BoardStore>) => store.board.view.value?.columns[0]?.cards.map(({ taskId }) => taskId).join(" ");
const add = (id: string): BoardOp => ({ kind: "add", id, title: id, status: "TODO", at: "" });
const shown = (store: InstanceType<typeof BoardStore>, id: string) => cardIn(store.board.view.value!, id)!;

/** Paths, versions and bodies of what was sent. */
const sent = () =>
  api.post.mock.calls.map(([path, options]) => {
    const {
      path: { taskId } = {},
      ifMatch,
      body,
    } = options as { path?: { taskId?: string }; ifMatch?: string; body?: { afterId?: string } };
    return [String(path).replace("/api/nexus/tasks", ""), taskId, ifMatch, body?.afterId];
  });

beforeEach(() => {
  vi.resetAllMocks();
  api.get.mockResolvedValue(boardWith(task("task_0", 7)));
});

it("moves a card that is still being made, and names it as the server does", async () => {
  const store = new BoardStore();
  await store.board.refresh();
  api.get.mockResolvedValue(boardWith(task("task_1", 3), task("task_2", 2), task("task_0", 7)));
  let answer: (made: Task) => void = () => undefined;
  api.post.mockImplementationOnce(() => new Promise<Task>((resolve) => (answer = resolve)));
  api.post
    .mockResolvedValueOnce(task("task_2", 1))
    .mockResolvedValueOnce(task("task_1", 2))
    .mockResolvedValueOnce(task("task_2", 2))
    .mockResolvedValueOnce(task("task_1", 3));
  void store.do(add("one"));
  void store.do(add("two"));
  void store.do({ kind: "move", task: shown(store, "one"), place: { status: "TODO", priority: 3, afterId: "two" } });
  void store.do({ kind: "move", task: shown(store, "two"), place: { status: "TODO", priority: 3, afterId: "one" } });
  const last = store.do({ kind: "move", task: shown(store, "one"), place: { status: "TODO", priority: 3, afterId: "task_0" } });
  expect(order(store)).toBe("task_0 one two");
  answer(task("task_1", 1));
  expect(await last).toBe(true);
  expect(sent()).toEqual([
    ["", undefined, undefined, undefined],
    ["", undefined, undefined, undefined],
    ["/{taskId}/move", "task_1", '"1"', "task_2"],
    ["/{taskId}/move", "task_2", '"1"', "task_1"],
    ["/{taskId}/move", "task_1", '"2"', "task_0"],
  ]);
  await vi.waitFor(() => expect(store.board.pending.value).toEqual([]));
  expect(order(store)).toBe("one two task_0");
  expect(store.card("task_1")).toMatchObject({ taskId: "one", version: 3 });
});

it("refuses what was done to a card that could not be made, and nothing else", async () => {
  const store = new BoardStore();
  const refused: BoardOp[] = [];
  store.onRefused = ({ op }) => refused.push(op);
  api.get.mockResolvedValue(boardWith(task("task_0", 7), task("task_3", 5)));
  await store.board.refresh();
  api.post.mockRejectedValueOnce(new ApiProblem({ status: 422, code: "invalid", message: "No." }));
  api.post.mockResolvedValue(task("task_0", 8));
  const made = store.do(add("one"));
  const moved = store.do({ kind: "move", task: shown(store, "one"), place: { status: "TODO", priority: 1 } });
  const beside = store.do({ kind: "move", task: shown(store, "task_0"), place: { status: "TODO", priority: 3, afterId: "one" } });
  const other = store.do({ kind: "complete", task: shown(store, "task_3"), done: true });
  expect(await Promise.all([made, moved, beside, other])).toEqual([false, false, false, true]);
  expect(refused.map(({ kind }) => kind)).toEqual(["add", "move", "move"]);
  expect(sent().slice(1)).toEqual([["/{taskId}/complete", "task_3", '"5"', undefined]]);
});

it("lets a task repeat by one change of it", async () => {
  const store = new BoardStore();
  await store.board.refresh();
  api.patch.mockResolvedValueOnce({ ...task("task_0", 8), masterId: "mst_1" });
  api.post.mockResolvedValueOnce(task("task_0", 9));
  api.get.mockResolvedValue(boardWith({ ...task("task_0", 9), masterId: "mst_1" }));
  const done = store.do({
    kind: "repeat",
    task: shown(store, "task_0"),
    change: { title: "Water", dueUtc: "2027-01-11T09:00:00Z" },
    rrule: "FREQ=DAILY",
  });
  expect(shown(store, "task_0").masterId).toBeDefined();
  const moved = store.do({ kind: "move", task: shown(store, "task_0"), place: { status: "TODO", priority: 3 } });
  expect(await Promise.all([done, moved])).toEqual([true, true]);
  expect(api.patch.mock.calls).toMatchObject([
    ["/api/nexus/tasks/{taskId}", { path: { taskId: "task_0" }, ifMatch: '"7"', body: { title: "Water", rrule: "FREQ=DAILY" } }],
  ]);
  expect(sent()).toEqual([["/{taskId}/move", "task_0", '"8"', undefined]]);
});

it("leaves a task as it is when somebody was faster than its repetition", async () => {
  const store = new BoardStore();
  await store.board.refresh();
  api.patch.mockRejectedValueOnce(new ApiProblem({ status: 412, code: "version-mismatch", message: "No." }));
  const ends = store.do({ kind: "repeat", task: shown(store, "task_0"), change: {}, rrule: null });
  expect(shown(store, "task_0").masterId).toBeUndefined();
  expect(await ends).toBe(false);
  expect(store.card("task_0")).toMatchObject({ taskId: "task_0", version: 7 });
});
