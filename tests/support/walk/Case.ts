/**
 * Test cases of a daemon's operations for the walks: a valid call, and the facts needed to call it as other users and
 * with invalid input.
 *
 *   const request = ({ id }) => ({ path: { id } })
 *   const cases: Cases = {
 *     "GET /api/v1/things/{id}": thing({ seed: make, never: { id: 0x7fff_fff0 }, request, success: 200 }),
 *     "GET /api/v1/things": list({ … }),
 *     "POST /api/v1/things": thing({ namesNothing: "…", … }),
 *     "GET /api/v1/me": own("…", { … })
 *   }
 */
import { Effect } from "effect"
import type { Reply } from "./Wire.ts"

/** A caller. */
export interface Who {
  /** Name in findings, such as `A`. */
  readonly name: string
  readonly tenant: number
  /** Credentials. */
  readonly headers: Readonly<Record<string, string>>
  /** A word that no other tenant's data contains. Seeds write it into every text they create. At least 8 characters. */
  readonly mark: string
}

/** Values that identify things: ids, keys, addresses, cursors. */
export type Ids = Readonly<Record<string, string | number>>

/**
 * Parts of a request; the operation gives the path template. `form` is sent urlencoded, `body` as JSON. A text body
 * with a content type in `headers` is sent unchanged.
 */
export interface Request {
  readonly path?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly form?: Readonly<Record<string, string>>
}

/** Expected answer to an invalid input, when it differs from 4xx with problem+json. */
export interface Exception {
  /**
   * Name of the input in findings (`body.payload.email_subject: NUL`); `*` matches any text. A pattern without a match
   * is a finding.
   */
  readonly input: string
  readonly why: string
  /** Expected status. Default: the case's `success`. */
  readonly status?: number
  /** Code of the problem. Undefined: no problem is expected. */
  readonly code?: string
  /** The complete JSON body, when the answer is no problem. */
  readonly body?: unknown
}

interface Told {
  /** Status of a valid call. */
  readonly success: number
  /** Additional check of the answer to a valid call. Returns the error. */
  readonly wrong?: (reply: Reply, ids: any, as: Who) => string | undefined
  readonly except?: ReadonlyArray<Exception>
  /**
   * True when the operation concerns one person's things, which other persons of the same tenant may not see or change
   * (`neighbours`).
   */
  readonly personal?: true
  /** Parameters (`query.q`, `path.key`) that accept any text. Only NUL and 10 kB are tested. */
  readonly freeText?: ReadonlyArray<string>
}

interface Seeded<I extends Ids> extends Told {
  /** Creates a new thing of this tenant, waits until nothing changes it any more, and returns its ids. */
  readonly seed: (as: Who) => Effect.Effect<I, unknown>
  readonly request: (ids: I, as: Who) => Request
}

/** An operation on things that the request names in path, query or body, or one that creates such a thing. */
export interface Thing<I extends Ids = any> extends Seeded<I> {
  readonly reach: "thing"
  /** Ids of the same shape that never existed. */
  readonly never: I
  /** Reason why the request names no thing of ours. Replaces ids. */
  readonly namesNothing?: string
  /** Id of the thing that a creating call made. Required for operations with an Idempotency-Key. */
  readonly made?: (reply: Reply) => string | number
}

/** An operation that lists the caller's things. */
export interface List<I extends Ids = any> extends Seeded<I> {
  readonly reach: "list"
  readonly never: I
  /** Values in the answer of the id `by`. */
  readonly shows: (reply: Reply) => ReadonlyArray<string | number>
  /** Name of the id that `shows` returns. */
  readonly by: keyof I & string
  /** Queries (filter, search, cursor) that name the thing. */
  readonly naming: (ids: I) => ReadonlyArray<NonNullable<Request["query"]>>
}

/**
 * An operation that names no thing: about the caller alone, for the platform only, or public. `reason` justifies this.
 */
export interface Other<I extends Ids = any> extends Seeded<I> {
  readonly reach: "own" | "platform" | "public"
  readonly reason: string
  /** For `platform`: ids that never existed, where the request names some. */
  readonly never: I
}

export type Case = Thing | List | Other

/** Cases by operation: `METHOD /path/{id}` as in `/openapi.json`. */
export type Cases = Readonly<Record<string, Case>>

type Options<C> = Omit<C, "reach" | "reason">
type Without<C> = Omit<Options<C>, "seed" | "never" | "request"> & { readonly request: (none: Ids, as: Who) => Request }

export const thing = <const I extends Ids>(options: Options<Thing<I>>): Case => ({ ...options, reach: "thing" })
/** A thing that names no other thing: `namesNothing` gives the reason. */
export const creates = (options: Without<Thing> & { readonly namesNothing: string }): Case => ({
  ...options,
  ...nothing,
  reach: "thing"
})
export const list = <const I extends Ids>(options: Options<List<I>>): Case => ({ ...options, reach: "list" })
export const own = <const I extends Ids>(reason: string, options: Loose<I>): Case => other("own", reason, options)
export const platformOnly = <const I extends Ids>(reason: string, options: Loose<I>): Case =>
  other("platform", reason, options)
export const open = <const I extends Ids>(reason: string, options: Loose<I>): Case => other("public", reason, options)

type Loose<I extends Ids> = Told & {
  readonly seed?: (as: Who) => Effect.Effect<I, unknown>
  readonly never?: I
  readonly request?: (ids: I, as: Who) => Request
}

const other = (reach: Other["reach"], reason: string, options: Loose<any>): Case => ({
  request: () => ({}),
  ...nothing,
  ...options,
  reach,
  reason
})

const nothing = { seed: () => Effect.succeed({}), never: {} }
