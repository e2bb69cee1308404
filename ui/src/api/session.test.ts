import { describe, expect, it } from "vitest";
import type { Client } from "./client";
import { ApiProblem } from "./problem";
import { Session, type Tabs } from "./session";

const me = { userId: "u1", email: "ann@example.org", csrfToken: "t1" };

function setUp(answers: Record<string, unknown[]>) {
  const told: unknown[] = [];
  const tabs: Tabs = { postMessage: (message) => told.push(message), onmessage: null };
  const answer = (path: string) => {
    const next = answers[path]?.shift();
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  const client = { get: answer, post: answer, delete: answer } as unknown as Client;
  return { session: new Session(() => client, tabs), told, tabs };
}

const refused = (status: number) => new ApiProblem({ status, code: "x", message: "No." });

describe("Session", () => {
  it("knows who is here, with the CSRF token", async () => {
    const { session } = setUp({ "/api/auth/me": [me] });
    expect(await session.load()).toEqual({ kind: "signedIn", me });
    expect(session.csrf()).toBe("t1");
  });

  it("tells signed out from out of reach", async () => {
    const { session } = setUp({ "/api/auth/me": [refused(0), refused(401)] });
    expect((await session.load()).kind).toBe("unreachable");
    expect((await session.load()).kind).toBe("signedOut");
  });

  it("stays signed in while the server is out of reach", async () => {
    const { session } = setUp({ "/api/auth/me": [me, refused(0)] });
    await session.load();
    expect((await session.load()).kind).toBe("signedIn");
  });

  it("asks again instead of throwing the page away when the session has ended", async () => {
    const { session } = setUp({ "/api/auth/me": [me, me], "/api/auth/login": [{}] });
    await session.load();
    session.noteUnauthenticated();
    expect(session.state.value).toEqual({ kind: "expired", me });
    await session.signIn("ann@example.org", "correct horse");
    expect(session.state.value.kind).toBe("signedIn");
  });

  it("signs out, here and in other tabs, also when the session had ended", async () => {
    const { session, told } = setUp({ "/api/auth/me": [me], "/api/auth/logout": [refused(401)] });
    await session.load();
    await session.signOut();
    expect(session.state.value.kind).toBe("signedOut");
    expect(session.csrf()).toBeUndefined();
    expect(told).toEqual(["signed out"]);
  });

  it("follows other tabs", async () => {
    const { session, tabs } = setUp({ "/api/auth/me": [refused(401), me] });
    await session.load();
    tabs.onmessage?.({ data: "signed in" } as MessageEvent);
    await new Promise((resolve) => setImmediate(resolve));
    expect(session.state.value.kind).toBe("signedIn");
    tabs.onmessage?.({ data: "signed out" } as MessageEvent);
    expect(session.state.value.kind).toBe("signedOut");
  });
});
