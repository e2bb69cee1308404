import { describe, expect, it } from "vitest";
import { Client, fillPath, pauseMs } from "./client";
import { ApiProblem } from "./problem";

interface Sent {
  url: string;
  method: string;
  headers: Headers;
  body: string | Blob | null;
}

type Reply = { status: number; body?: unknown; headers?: Record<string, string> } | "offline";

/** A client whose server answers with these replies, one after another. */
function clientWith(replies: Reply[], csrf: (string | undefined)[] = ["token"]) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  let keys = 0;
  let unauthenticated = 0;
  let csrfAt = 0;
  const client = new Client({
    fetch: (input, init) => {
      sent.push({
        url: input as string,
        method: init?.method ?? "",
        headers: new Headers(init?.headers),
        body: (init?.body ?? null) as string | Blob | null,
      });
      const reply = replies.shift() ?? { status: 500 };
      if (reply === "offline") return Promise.reject(new TypeError("nobody"));
      const empty = reply.body === undefined;
      const headers = { "content-type": "application/json", ...reply.headers };
      return Promise.resolve(new Response(empty ? null : JSON.stringify(reply.body), { status: reply.status, headers }));
    },
    wait: (milliseconds) => (waits.push(milliseconds), Promise.resolve()),
    newKey: () => `key-${++keys}`,
    csrf: {
      current: () => csrf[csrfAt],
      renew: () => {
        csrfAt = Math.min(csrfAt + 1, csrf.length - 1);
        return Promise.resolve(csrf[csrfAt]);
      },
    },
    onUnauthenticated: () => ++unauthenticated,
  });
  return { client, sent, waits, unauthenticated: () => unauthenticated };
}

const stale = { code: "stale-base", title: "t", status: 409, detail: "someone was faster", headRevId: "R2" };

async function refusal(promise: Promise<unknown>): Promise<ApiProblem> {
  return promise.then(
    () => Promise.reject(new Error("it was not refused")),
    (thrown: unknown) => thrown as ApiProblem,
  );
}

describe("Client", () => {
  it("fills paths and queries", () => {
    expect(fillPath("/api/plans/{day}", { path: { day: "2026-11-16" }, query: { rev: "a b", cursor: undefined } })).toBe(
      "/api/plans/2026-11-16?rev=a+b",
    );
    expect(fillPath("/api/values/nodes/{nodeId}", { path: { nodeId: "a/b?c" } })).toBe("/api/values/nodes/a%2Fb%3Fc");
  });

  it("sends CSRF token and key with changes, and neither with reads", async () => {
    const { client, sent } = clientWith([
      { status: 200, body: {} },
      { status: 200, body: {} },
    ]);
    await client.get("/api/values");
    await client.post("/api/values/undo", { ifMatch: '"R1"' });
    expect(sent[0]!.headers.has("x-csrf-token")).toBe(false);
    expect(sent[0]!.headers.has("idempotency-key")).toBe(false);
    expect(sent[1]!.headers.get("x-csrf-token")).toBe("token");
    expect(sent[1]!.headers.get("idempotency-key")).toBe("key-1");
    expect(sent[1]!.headers.get("if-match")).toBe('"R1"');
  });

  it("sends a file as it is, with its own type", async () => {
    const { client, sent } = clientWith([{ status: 200, body: {} }]);
    const body = new Blob(["BEGIN:VCALENDAR"], { type: "text/calendar" });
    await client.post("/api/nexus/import", { body });
    expect(sent[0]!.headers.get("content-type")).toBe("text/calendar");
    expect(sent[0]!.body).toBe(body);
  });

  it("tells ETag and status", async () => {
    const { client } = clientWith([{ status: 200, body: { nodes: [] }, headers: { etag: '"R1"' } }]);
    expect(await client.request("get", "/api/values")).toEqual({ data: { nodes: [] }, status: 200, etag: '"R1"' });
  });

  it("tries a change again with the same key until it is answered", async () => {
    const { client, sent, waits } = clientWith(["offline", { status: 503, headers: { "retry-after": "1" } }, { status: 200, body: {} }]);
    await client.post("/api/values/undo");
    expect(sent.map(({ headers }) => headers.get("idempotency-key"))).toEqual(["key-1", "key-1", "key-1"]);
    expect(waits).toEqual([250, 1000]);
  });

  it("does not wait for a limit that is over in an hour, but says so", async () => {
    const body = { code: "too-much-written", detail: "You have written more than 512 MB within an hour. Try again in 40 minutes" };
    const { client, sent } = clientWith([{ status: 429, headers: { "retry-after": "2400" }, body }]);
    const problem = await refusal(client.post("/api/values/undo"));
    expect(problem).toMatchObject({ status: 429, passing: false, retryAfterSeconds: 2400 });
    expect(problem.message).toBe("You have written more than 512 MB within an hour. Try again in 40 minutes.");
    expect(sent).toHaveLength(1);
  });

  it("waits for a limit that is over in a moment", async () => {
    const { client, sent, waits } = clientWith([
      { status: 429, headers: { "retry-after": "2" } },
      { status: 200, body: {} },
    ]);
    await client.post("/api/values/undo");
    expect(sent).toHaveLength(2);
    expect(waits).toEqual([2000]);
  });

  it("says that there is no room, and does not try again", async () => {
    const { client, sent } = clientWith([{ status: 413, body: { code: "quota-exceeded", detail: "You keep 512 MB of 512 MB" } }]);
    expect(await refusal(client.post("/api/values/undo"))).toMatchObject({ code: "quota-exceeded", passing: false });
    expect(sent).toHaveLength(1);
  });

  it("gives up after a few times and says that nobody answers", async () => {
    const { client, sent } = clientWith(["offline", "offline", "offline", "offline", "offline"]);
    expect(await refusal(client.get("/api/values"))).toMatchObject({ code: "offline", status: 0, passing: true });
    expect(sent).toHaveLength(4);
  });

  it("never repeats a sign-in by itself", async () => {
    const { client, sent } = clientWith(["offline", { status: 200, body: {} }]);
    await refusal(client.post("/api/auth/login", { body: { email: "a@b", password: "x" } }));
    expect(sent).toHaveLength(1);
    expect(sent[0]!.headers.has("idempotency-key")).toBe(false);
  });

  it("carries what the problem document says", async () => {
    const { client } = clientWith([{ status: 409, body: stale }]);
    const problem = await refusal(client.post("/api/values/undo"));
    expect(problem).toBeInstanceOf(ApiProblem);
    expect(problem).toMatchObject({ status: 409, code: "stale-base", message: "Someone was faster." });
    expect(problem.body.headRevId).toBe("R2");
  });

  it("asks for the CSRF token again once, when another tab has signed in anew", async () => {
    const { client, sent } = clientWith([{ status: 403 }, { status: 200, body: {} }], ["old", "new"]);
    await client.post("/api/values/undo");
    expect(sent.map(({ headers }) => headers.get("x-csrf-token"))).toEqual(["old", "new"]);
    const again = clientWith([{ status: 403 }, { status: 403 }], ["same"]);
    expect((await refusal(again.client.post("/api/values/undo"))).status).toBe(403);
    expect(again.sent).toHaveLength(1);
  });

  it("notices that the session has ended, but not from a wrong password", async () => {
    const over = clientWith([{ status: 401 }]);
    await refusal(over.client.get("/api/values"));
    expect(over.unauthenticated()).toBe(1);
    const wrong = clientWith([{ status: 401 }]);
    await refusal(wrong.client.post("/api/auth/login", { body: { email: "a@b", password: "x" } }));
    expect(wrong.unauthenticated()).toBe(0);
  });

  it("waits longer each time, and as long as it is asked to within reason", () => {
    expect([1, 2, 3].map((attempt) => pauseMs(attempt, undefined))).toEqual([250, 500, 1000]);
    expect(pauseMs(1, 3)).toBe(3000);
    expect(pauseMs(1, 600)).toBe(5000);
  });
});
