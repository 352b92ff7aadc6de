/**
 * What a daemon's test states of each operation: how to call it correctly, as another caller, and wrongly.
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

/** One who calls. */
export interface Who {
  /** For findings: `A`. */
  readonly name: string
  readonly tenant: number
  /** What shows who it is. */
  readonly headers: Readonly<Record<string, string>>
  /** A word that stands in no other tenant's data; seeds write it into every text they make. At least 8 characters. */
  readonly mark: string
}

/** What names things: ids, keys, addresses, cursors. */
export type Ids = Readonly<Record<string, string | number>>

/**
 * A request by its parts; the path template is the operation's. `form` is sent urlencoded, `body` as JSON; text with a
 * content type in `headers` as it is.
 */
export interface Request {
  readonly path?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly form?: Readonly<Record<string, string>>
}

/** Wrong input that is answered in another way than 4xx problem+json. */
export interface Exception {
  /**
   * Its name in findings (`body.payload.email_subject: NUL`); `*` stands for anything. One that fits nothing is a
   * finding.
   */
  readonly input: string
  readonly why: string
  /** Default: the case's success. */
  readonly status?: number
  /** Of the problem, in place of `errors` or of a problem at all. */
  readonly code?: string
  /** The whole JSON body, where it is no problem. */
  readonly body?: unknown
}

interface Told {
  /** Status of a call that is right. */
  readonly success: number
  /** What is wrong with the answer to a right call, beyond its status. */
  readonly wrong?: (reply: Reply, ids: any, as: Who) => string | undefined
  readonly except?: ReadonlyArray<Exception>
  /** It is about one person's things, which no other person of the same tenant may see or touch (`neighbours`). */
  readonly personal?: true
  /** Parameters (`query.q`, `path.key`) that take any text: only NUL and 10 kB are tried. */
  readonly freeText?: ReadonlyArray<string>
}

interface Seeded<I extends Ids> extends Told {
  /** Makes a thing of this tenant's anew, waits until nothing changes it by itself, and answers what names it. */
  readonly seed: (as: Who) => Effect.Effect<I, unknown>
  readonly request: (ids: I, as: Who) => Request
}

/** Changes or shows things that the request names, in its path, query or body; or makes one that names others. */
export interface Thing<I extends Ids = any> extends Seeded<I> {
  readonly reach: "thing"
  /** Ids of the same shape that never were. */
  readonly never: I
  /** Set instead of ids where the request names no thing that is ours: why. */
  readonly namesNothing?: string
  /** What names the thing that a creating call made; needed where it takes an Idempotency-Key. */
  readonly made?: (reply: Reply) => string | number
}

/** Shows the caller's things. */
export interface List<I extends Ids = any> extends Seeded<I> {
  readonly reach: "list"
  readonly never: I
  /** What the answer lists, in the words of one of the ids. */
  readonly shows: (reply: Reply) => ReadonlyArray<string | number>
  /** The id that `shows` speaks of. */
  readonly by: keyof I & string
  /** Queries (filter, search, cursor) that name the thing. */
  readonly naming: (ids: I) => ReadonlyArray<NonNullable<Request["query"]>>
}

/**
 * Asks for no thing by a name: of the caller alone, for the platform alone, or open to everybody; `reason` says why
 * that is right.
 */
export interface Other<I extends Ids = any> extends Seeded<I> {
  readonly reach: "own" | "platform" | "public"
  readonly reason: string
  /** For `platform`: ids that never were, where it names some. */
  readonly never: I
}

export type Case = Thing | List | Other

/** By operation: `METHOD /path/{id}` as `/openapi.json` writes it. */
export type Cases = Readonly<Record<string, Case>>

type Options<C> = Omit<C, "reach" | "reason">
type Without<C> = Omit<Options<C>, "seed" | "never" | "request"> & { readonly request: (none: Ids, as: Who) => Request }

export const thing = <const I extends Ids>(options: Options<Thing<I>>): Case => ({ ...options, reach: "thing" })
/** A thing that names nothing: `namesNothing` says why. */
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
