// The routes of the OpenAPI document as types: which paths take a method, what they take, what they answer.

import type { components, paths } from "./schema";

export type Schemas = components["schemas"];
export type Method = "get" | "post" | "put" | "patch" | "delete";

/** Paths that take a method, e.g. PathOf<"get">. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends object ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends PathOf<M>> = paths[P][M];

type Parameter<Op, Where extends string> = Op extends { parameters: { [W in Where]?: infer Values } } ? Exclude<Values, undefined> : never;

type Filled<T> = [T] extends [never] ? false : T extends object ? true : false;

type Content<Body> = Body extends { content: { "application/json": infer Json } }
  ? Json
  : Body extends { content: { "application/x-ndjson": unknown } }
    ? string
    : undefined;

/** A file goes out as its bytes are. */
type SentContent<Body> = Body extends { content: { "text/calendar": unknown } } ? Blob : Content<Body>;

/** What a route takes: JSON, lines of it, or a file. */
export type BodyOf<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { requestBody: infer Body }
    ? SentContent<Body>
    : Operation<M, P> extends { requestBody?: infer Body }
      ? SentContent<Exclude<Body, undefined>> | undefined
      : undefined;

type Success = 200 | 201 | 202 | 204;

/** What a route answers with when all is well; undefined where the answer is empty. */
export type AnswerOf<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer Responses }
    ? { [S in Extract<keyof Responses, Success>]: Content<Responses[S]> }[Extract<keyof Responses, Success>]
    : never;

interface Common {
  /** Only if this is still the version: 412 otherwise. */
  ifMatch?: string;
  /** Made for you; give your own when the same change may be sent again later. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

type PathPart<Op> = Filled<Parameter<Op, "path">> extends true ? { path: Parameter<Op, "path"> } : { path?: undefined };
type QueryPart<Op> =
  Filled<Parameter<Op, "query">> extends true
    ? Op extends { parameters: { query: infer Query } }
      ? { query: Query }
      : { query?: Parameter<Op, "query"> }
    : { query?: undefined };
type BodyPart<Body> = undefined extends Body ? { body?: Body } : { body: Body };

export type OptionsOf<M extends Method, P extends PathOf<M>> = Common &
  PathPart<Operation<M, P>> &
  QueryPart<Operation<M, P>> &
  BodyPart<BodyOf<M, P>>;

/** Options may be left out when nothing in them is required. */
export type OptionalIfEmpty<Options> = object extends Options ? [options?: Options] : [options: Options];

export interface Answer<T> {
  data: T;
  status: number;
  etag: string | undefined;
}
