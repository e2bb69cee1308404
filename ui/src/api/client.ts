// Requests to the server, typed by its OpenAPI document. Adds what every request needs (CSRF token, Idempotency-Key),
// turns every failure into an ApiProblem, and tries again what can be tried again: reads, and changes that carry a key
// (the server does those once, however often they arrive).

import { ApiProblem, offlineProblem, problemFromAnswer } from "./problem";
import type { Answer, AnswerOf, Method, OptionalIfEmpty, OptionsOf, PathOf } from "./routes";

export interface ClientParts {
  fetch: typeof fetch;
  wait: (milliseconds: number) => Promise<void>;
  newKey: () => string;
  /** The session's CSRF token; `renew` asks the server again, for when another tab has signed in anew. */
  csrf: { current: () => string | undefined; renew: () => Promise<string | undefined> };
  /** Told when the server no longer knows who we are. */
  onUnauthenticated: () => void;
}

interface AnyOptions {
  path?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  ifMatch?: string;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

interface Received {
  status: number;
  headers: Headers;
  text: string;
}

/** Routes whose 401 is the answer to a question, not news about the session. */
const kAsksWhoWeAre = new Set(["/api/auth/login", "/api/auth/me"]);
const kTriesMax = 4;
const kFirstPauseMs = 250;

export class Client {
  constructor(private readonly parts: ClientParts) {}

  /** The answer's body. `client.get("/api/plans/{day}", { path: { day } })` */
  async get<P extends PathOf<"get">>(path: P, ...options: OptionalIfEmpty<OptionsOf<"get", P>>) {
    return (await this.request("get", path, ...options)).data;
  }

  async post<P extends PathOf<"post">>(path: P, ...options: OptionalIfEmpty<OptionsOf<"post", P>>) {
    return (await this.request("post", path, ...options)).data;
  }

  async put<P extends PathOf<"put">>(path: P, ...options: OptionalIfEmpty<OptionsOf<"put", P>>) {
    return (await this.request("put", path, ...options)).data;
  }

  async patch<P extends PathOf<"patch">>(path: P, ...options: OptionalIfEmpty<OptionsOf<"patch", P>>) {
    return (await this.request("patch", path, ...options)).data;
  }

  async delete<P extends PathOf<"delete">>(path: P, ...options: OptionalIfEmpty<OptionsOf<"delete", P>>) {
    return (await this.request("delete", path, ...options)).data;
  }

  /** Body, status and ETag. Throws ApiProblem, or what aborting `signal` throws. */
  async request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...[given]: OptionalIfEmpty<OptionsOf<M, P>>
  ): Promise<Answer<AnswerOf<M, P>>> {
    const options = (given ?? {}) as AnyOptions;
    const { status, headers, text } = await this.sendUntilAnswered(method, String(path), options);
    const isJson = headers.get("content-type")?.includes("json") ?? false;
    const data: unknown = text === "" ? undefined : isJson ? JSON.parse(text) : text;
    return { data: data as AnswerOf<M, P>, status, etag: headers.get("etag") ?? undefined };
  }

  private async sendUntilAnswered(method: Method, template: string, options: AnyOptions): Promise<Received> {
    const isRead = method === "get";
    const keepsReceipts = !template.startsWith("/api/auth/");
    const key = options.idempotencyKey ?? (isRead || !keepsReceipts ? undefined : this.parts.newKey());
    const mayRepeat = isRead || key !== undefined;
    let renewedCsrf = false;

    for (let attempt = 1; ; ++attempt) {
      const outcome = await this.sendOnce(method, fillPath(template, options), options, key);
      if (!(outcome instanceof ApiProblem)) return outcome;
      if (outcome.status === 403 && !isRead && !renewedCsrf) {
        renewedCsrf = true;
        const before = this.parts.csrf.current();
        if ((await this.parts.csrf.renew()) !== before) continue;
      }
      if (outcome.status === 401 && !kAsksWhoWeAre.has(template)) this.parts.onUnauthenticated();
      const again = outcome.passing || outcome.code === "in-progress";
      if (!again || !mayRepeat || attempt === kTriesMax) throw outcome;
      await this.parts.wait(pauseMs(attempt, outcome.retryAfterSeconds));
      options.signal?.throwIfAborted();
    }
  }

  private async sendOnce(method: Method, url: string, options: AnyOptions, key: string | undefined): Promise<Received | ApiProblem> {
    const headers = new Headers({ accept: "application/json" });
    let body: string | Blob | undefined;
    if (options.body instanceof Blob) {
      headers.set("content-type", options.body.type);
      body = options.body;
    } else if (options.body !== undefined) {
      const isText = typeof options.body === "string";
      headers.set("content-type", isText ? "application/x-ndjson" : "application/json");
      body = isText ? (options.body as string) : JSON.stringify(options.body);
    }
    if (method !== "get") {
      const token = this.parts.csrf.current();
      if (token !== undefined) headers.set("x-csrf-token", token);
      if (key !== undefined) headers.set("idempotency-key", key);
      if (options.ifMatch !== undefined) headers.set("if-match", options.ifMatch);
    }
    try {
      const response = await this.parts.fetch(url, {
        method: method.toUpperCase(),
        headers,
        body: body ?? null,
        credentials: "same-origin",
        signal: options.signal ?? null,
      });
      const text = await response.text();
      if (response.ok) return { status: response.status, headers: response.headers, text };
      return problemFromAnswer(response.status, text, response.headers.get("retry-after"));
    } catch (thrown) {
      options.signal?.throwIfAborted();
      if (thrown instanceof TypeError) return offlineProblem(); // no answer, or half of one
      throw thrown;
    }
  }
}

/** "/api/plans/{day}" with values filled in, and the query. Parameters that are undefined are left out. */
export function fillPath(template: string, { path, query }: Pick<AnyOptions, "path" | "query">): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(path?.[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.set(name, textOf(value));
  }
  const text = search.toString();
  return text === "" ? filled : `${filled}?${text}`;
}

/** Longer after each failure, and as long as the server asks for within reason. */
export function pauseMs(attempt: number, retryAfterSeconds: number | undefined): number {
  const own = kFirstPauseMs * 2 ** (attempt - 1);
  return Math.min(Math.max(own, (retryAfterSeconds ?? 0) * 1000), 5000);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : String(value as string | number | boolean);
}
