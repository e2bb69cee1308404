// Who is signed in. One signal that the shell follows; the functions that change it. Other tabs of this browser share the
// cookie, so they are told as well.

import { signal } from "@preact/signals";
import type { Client } from "./client";
import type { ApiProblem } from "./problem";
import { problemOf } from "./problem";
import type { Schemas } from "./routes";

export type Me = Schemas["Me"];

/** expired: the pages stay as they are, so that nothing typed is lost, until the same person signs in again. */
export type SessionState =
  | { kind: "unknown" }
  | { kind: "unreachable"; problem: ApiProblem }
  | { kind: "signedOut" }
  | { kind: "signedIn"; me: Me }
  | { kind: "expired"; me: Me };

/** How tabs tell each other; a BroadcastChannel. */
export interface Tabs {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => unknown) | null;
}

const kSignedIn = "signed in";
const kSignedOut = "signed out";

export class Session {
  readonly state = signal<SessionState>({ kind: "unknown" });
  private csrfToken: string | undefined;

  constructor(
    private readonly client: () => Client,
    private readonly tabs: Tabs,
  ) {
    tabs.onmessage = ({ data }) => (data === kSignedOut ? this.leave() : void this.load());
  }

  csrf(): string | undefined {
    return this.csrfToken;
  }

  /** Asks the server who we are. */
  async load(): Promise<SessionState> {
    try {
      this.adopt(await this.client().get("/api/auth/me"));
    } catch (thrown) {
      const problem = problemOf(thrown);
      if (problem.status === 401) this.forget();
      else if (this.state.value.kind === "unknown" || this.state.value.kind === "unreachable")
        this.state.value = { kind: "unreachable", problem };
    }
    return this.state.value;
  }

  /** The server answered 401 to something: whoever was signed in is asked to sign in again. */
  noteUnauthenticated(): void {
    this.csrfToken = undefined;
    if (this.state.value.kind === "signedIn") this.state.value = { kind: "expired", me: this.state.value.me };
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.client().post("/api/auth/login", { body: { email, password, kind: "browser" } });
    await this.begin();
  }

  /** Makes an account and signs in. An address that has an account already is refused as a wrong password is. */
  async signUp(account: { email: string; password: string; displayName?: string }): Promise<void> {
    await this.client().post("/api/auth/register", { body: account });
    await this.signIn(account.email, account.password);
  }

  async signOut(where: "here" | "everywhere" = "here"): Promise<void> {
    try {
      await this.client().post("/api/auth/logout", { body: { everywhere: where === "everywhere" } });
    } catch (thrown) {
      if (problemOf(thrown).status !== 401) throw thrown; // 401: it had ended already
    }
    this.end();
  }

  /** All sessions end, this one begins anew. */
  async changePassword(currentPassword: string, newPassword: string): Promise<void> {
    await this.client().post("/api/auth/password", { body: { currentPassword, newPassword } });
    await this.begin();
  }

  /** With the link of a mail. All sessions end, one begins here. */
  async resetPassword(token: string, newPassword: string): Promise<void> {
    await this.client().post("/api/auth/password/reset", { body: { token, newPassword, kind: "browser" } });
    await this.begin();
  }

  async deleteAccount(password: string): Promise<void> {
    await this.client().delete("/api/auth/me", { body: { password } });
    this.end();
  }

  private async begin(): Promise<void> {
    this.adopt(await this.client().get("/api/auth/me"));
    this.tabs.postMessage(kSignedIn);
  }

  private adopt(me: Me): void {
    this.csrfToken = me.csrfToken;
    this.state.value = { kind: "signedIn", me };
  }

  private end(): void {
    this.leave();
    this.tabs.postMessage(kSignedOut);
  }

  /** Somebody wanted to leave: nothing of theirs stays on the screen, in no tab. */
  private leave(): void {
    this.csrfToken = undefined;
    this.state.value = { kind: "signedOut" };
  }

  private forget(): void {
    const { value } = this.state;
    if (value.kind === "signedIn") this.noteUnauthenticated();
    else if (value.kind !== "expired") this.state.value = { kind: "signedOut" };
  }
}
