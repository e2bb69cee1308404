// What can go wrong with a request, as one type: the server's problem documents (RFC 9457), and the ways a request never
// reached it. `message` is always a full sentence that can be shown to a person.

export interface FieldProblem {
  field: string;
  message: string;
}

/** `offline`: nobody knows whether the request was done. Everything else is the server's answer. */
export type ProblemCode =
  | "offline"
  | "unauthenticated"
  | "forbidden"
  | "not-found"
  | "conflict"
  | "stale-base"
  | "version-mismatch"
  | "invalid"
  | "malformed"
  | "limit-exceeded"
  | "too-large"
  | "in-progress"
  | "overloaded"
  | "unavailable"
  | "internal"
  | (string & {});

/** Whoever has to wait for longer is told, and decides. */
const kWaitedForMaxSeconds = 60;

interface ProblemParts {
  status: number;
  code: ProblemCode;
  message: string;
  errors?: FieldProblem[];
  body?: Record<string, unknown>;
  retryAfterSeconds?: number;
}

export class ApiProblem extends Error {
  override name = "ApiProblem";
  readonly status: number; // 0: there was no answer
  readonly code: ProblemCode;
  readonly errors: FieldProblem[];
  /** Everything the answer said, for members of one route only, such as `conflicts` and `headRevId`. */
  readonly body: Record<string, unknown>;
  readonly retryAfterSeconds: number | undefined;

  constructor(parts: ProblemParts) {
    super(parts.message);
    this.status = parts.status;
    this.code = parts.code;
    this.errors = parts.errors ?? [];
    this.body = parts.body ?? {};
    this.retryAfterSeconds = parts.retryAfterSeconds;
  }

  /** Worth trying again without a change: no answer, a server that is busy, or a limit that is over in a minute. */
  get passing(): boolean {
    if (this.status === 429) return (this.retryAfterSeconds ?? 0) <= kWaitedForMaxSeconds;
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }

  /** What is wrong with one field, as a sentence: "Must have at least 8 characters." */
  field(name: string): string | undefined {
    const found = this.errors.find((error) => error.field === name);
    return found && sentence(found.message);
  }
}

export function offlineProblem(): ApiProblem {
  return new ApiProblem({ status: 0, code: "offline", message: "Cairn cannot be reached. Check the connection." });
}

/** Whatever was thrown, as a problem: a fault of our own reads like one of the server's. */
export function problemOf(thrown: unknown): ApiProblem {
  if (thrown instanceof ApiProblem) return thrown;
  return new ApiProblem({ status: 0, code: "internal", message: "Something went wrong in this page. Reload." });
}

/** An answer that is no success. Proxies answer with pages, so the body may be anything. */
export function problemFromAnswer(status: number, text: string, retryAfter: string | null): ApiProblem {
  const body = parseObject(text);
  const code = typeof body.code === "string" ? body.code : codeOfStatus(status);
  return new ApiProblem({
    status,
    code,
    message: messageOf(code, body),
    errors: Array.isArray(body.errors) ? body.errors.filter(isFieldProblem) : [],
    body,
    retryAfterSeconds: parseSeconds(retryAfter),
  });
}

/** Upper case first, full stop last. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "";
  const begun = trimmed[0]!.toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

function messageOf(code: string, body: Record<string, unknown>): string {
  if (code === "in-progress") return "This is being worked on already. Wait a moment.";
  if (typeof body.detail === "string" && body.detail !== "") return sentence(body.detail);
  if (typeof body.title === "string" && body.title !== "") return sentence(body.title);
  if (code === "overloaded" || code === "unavailable") return "Cairn is busy. Wait a moment, then try again.";
  return "Cairn could not do this. Try again.";
}

function codeOfStatus(status: number): ProblemCode {
  if (status === 401) return "unauthenticated";
  if (status === 403) return "forbidden";
  if (status === 404) return "not-found";
  if (status === 429) return "overloaded";
  return status === 502 || status === 503 || status === 504 ? "unavailable" : "internal";
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

function isFieldProblem(value: unknown): value is FieldProblem {
  if (typeof value !== "object" || value === null) return false;
  const { field, message } = value as Record<string, unknown>;
  return typeof field === "string" && typeof message === "string";
}

function parseSeconds(text: string | null): number | undefined {
  const seconds = text === null ? NaN : Number(text);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
