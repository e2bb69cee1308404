import { beforeEach, expect, it, vi } from "vitest";

const { api } = vi.hoisted(() => ({ api: { get: vi.fn(), post: vi.fn() } }));
vi.mock("../api", () => ({ api }));
const { ValuesStore } = await import("./store");

const add = (nodeId: string, seenRevId: string | undefined, parentId?: string) => ({
  kind: "change" as const,
  operations: [{ op: "add" as const, nodeId, nodeType: "MILESTONE" as const, title: nodeId, ...(parentId ? { parentId } : {}) }],
  message: "",
  seenRevId,
  at: "2026-11-16T10:00:00.000Z",
});
const answer = (revId: string, parentRevId?: string) => ({
  commit: { revId, ...(parentRevId ? { parentRevId } : {}) },
  changed: true,
  merged: false,
});
const bases = () => api.post.mock.calls.map(([, options]) => (options as { body: { baseRevId?: string } }).body.baseRevId);

beforeEach(() => {
  vi.clearAllMocks();
  api.get.mockReturnValue(new Promise(() => undefined));
});

it("builds on its own commit even when that had no base, and its parent is what is shown", async () => {
  const store = new ValuesStore(() => undefined);
  api.post.mockResolvedValueOnce(answer("R1")).mockResolvedValueOnce(answer("R2", "R1")).mockResolvedValueOnce(answer("R3", "R2"));
  await store.do(add("health", undefined));
  await store.do(add("run", undefined, "health"));
  await store.do(add("shoes", "R1", "run")); // the page shows R1, for the answer to reading is late
  expect(bases()).toEqual([undefined, undefined, "R2"]);
});
