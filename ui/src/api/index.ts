// The one client, session and live connection of this page, wired to the browser. Everything else is in the files beside.

import { useEffect, useRef } from "preact/hooks";
import { Client } from "./client";
import { Live, type Concerns, type ReadRoom, type Socket } from "./live";
import { newKey } from "./new_key";
import { Session, type Me } from "./session";

export type { Answer, AnswerOf, BodyOf, Schemas } from "./routes";
export type { Concerns, ConnectionState, ReadRoom, RoomEvent } from "./live";
export type { Me, SessionState } from "./session";
export type { Client } from "./client";
export { ApiProblem, problemOf, sentence, type FieldProblem } from "./problem";
export { newKey } from "./new_key";

export const session: Session = new Session(() => api, new BroadcastChannel("cairn.session"));

export const api: Client = new Client({
  fetch: (input, init) => fetch(input, init),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  newKey,
  csrf: {
    current: () => session.csrf(),
    renew: async () => {
      await session.load();
      return session.csrf();
    },
  },
  onUnauthenticated: () => session.noteUnauthenticated(),
});

export const live: Live = new Live({
  open: () => new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws`) as Socket,
  later: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  stillSignedIn: async () => (await session.load()).kind === "signedIn",
});

/** Whoever is signed in. Only for pages: the shell shows them to nobody else. */
export function useMe(): Me {
  const state = session.state.value;
  if (state.kind !== "signedIn" && state.kind !== "expired") throw new Error("a page is shown to nobody");
  return state.me;
}

/**
 * Joins a room while the component is shown; `read` runs at first and after every change that concerns it. null: no room
 * now.
 */
export function useRoom(room: string | null, read: ReadRoom, concerns?: Concerns): void {
  const newest = useRef({ read, concerns });
  newest.current = { read, concerns };
  useEffect(() => {
    if (room === null) return undefined;
    return live.join(
      room,
      () => newest.current.read(),
      (event) => newest.current.concerns?.(event) ?? true,
    );
  }, [room]);
}
