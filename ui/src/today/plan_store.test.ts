import { beforeEach, expect, it, vi } from "vitest";
import { ApiProblem } from "../api/problem";
import type { Plan } from "./plan_types";

const { api } = vi.hoisted(() => ({ api: { get: vi.fn(), post: vi.fn() } }));
vi.mock("../api", () => ({ api }));
const { PlanStore } = await import("./plan_store");

const empty: Plan = {
  day: "2026-11-16",
  revId: "R1",
  dayStart: "2026-11-16T00:00:00.000Z",
  dayEnd: "2026-11-17T00:00:00.000Z",
  todos: [
    { actionId: "a", order: 1, classification: "other", archived: false },
    { actionId: "b", order: 2, classification: "other", archived: false },
  ],
  blocks: [],
};

/** Bodies of the commits that were sent. */
const sent = () => api.post.mock.calls.map(([, options]) => (options as { body: { baseRevId?: string; operations: object[] } }).body);
const order = (store: InstanceType<typeof PlanStore>) => store.plan.view.value?.todos.map(({ actionId }) => actionId).join("");

beforeEach(() => {
  vi.clearAllMocks();
  api.get.mockResolvedValue(empty);
  let revision = 1;
  api.post.mockImplementation(() => Promise.resolve({ commit: { revId: `R${++revision}` } }));
});

it("builds later changes on what its own earlier ones led to", async () => {
  const store = new PlanStore(empty.day);
  await store.plan.refresh();
  api.get.mockReturnValue(new Promise(() => undefined)); // the answer to reading again is late
  const first = store.commit([{ op: "removeTodo", actionId: "a" }]);
  const second = store.commit([{ op: "removeTodo", actionId: "b" }]);
  expect(order(store)).toBe("");
  await Promise.all([first, second]);
  expect(sent().map(({ baseRevId }) => baseRevId)).toEqual(["R1", "R2"]);
});

it("builds on its own change even if what is shown next is older", async () => {
  const store = new PlanStore(empty.day);
  await store.plan.refresh();
  let show: (plan: Plan) => void = () => {};
  api.get.mockImplementation(() => new Promise<Plan>((resolve) => (show = resolve)));
  api.post.mockResolvedValueOnce({ values: {}, plan: { commit: { revId: "R2" } }, offers: [] });
  await store.do({ kind: "complete", actionId: "a", at: "2026-11-16T10:00:00.000Z" });
  api.post.mockResolvedValueOnce({ commit: { revId: "R3" } });
  await store.commit([{ op: "removeTodo", actionId: "a" }]);
  show({ ...empty, revId: "R2" });
  await vi.waitFor(() => expect(store.plan.server.value?.revId).toBe("R2"));
  expect(order(store)).toBe("b");
  api.post.mockResolvedValueOnce({ commit: { revId: "R4" } });
  expect(store.undo()).toBe(true);
  await vi.waitFor(() => expect(api.post).toHaveBeenCalledTimes(3));
  expect(
    sent()
      .slice(1)
      .map(({ baseRevId }) => baseRevId),
  ).toEqual(["R2", "R3"]);
});

it("builds on what was there before a change that was refused", async () => {
  const store = new PlanStore(empty.day);
  await store.plan.refresh();
  api.post.mockRejectedValueOnce(new ApiProblem({ status: 422, code: "invalid", message: "No." }));
  const refused = store.commit([{ op: "editTodo", actionId: "b", classification: "urgent" }]);
  const next = store.commit([{ op: "removeTodo", actionId: "a" }]);
  expect(await Promise.all([refused, next])).toEqual([false, true]);
  expect(sent().map(({ baseRevId }) => baseRevId)).toEqual(["R1", "R1"]);
});

it("takes back exactly what an offer was for, and closes the offer", async () => {
  const store = new PlanStore(empty.day);
  await store.plan.refresh();
  api.get.mockReturnValue(new Promise(() => undefined));
  const close = vi.fn();
  let undoRemoval = () => {};
  void store.commit([{ op: "removeTodo", actionId: "a" }]);
  store.offerUndo((undo) => {
    undoRemoval = undo;
    return close;
  });
  void store.commit([{ op: "editTodo", actionId: "b", classification: "urgent" }]);
  undoRemoval();
  undoRemoval();
  expect(close).toHaveBeenCalledTimes(1);
  expect(order(store)).toBe("ab");
  expect(store.plan.view.value?.todos[1]?.classification).toBe("urgent");
  expect(store.undo()).toBe(true);
  expect(store.plan.view.value?.todos[1]?.classification).toBe("other");
  expect(store.undo()).toBe(false);
  expect(store.redo()).toBe(true);
  expect(store.plan.view.value?.todos[1]?.classification).toBe("urgent");
});
