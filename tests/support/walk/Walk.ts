/** Input of a walk: a running daemon, callers of two tenants, and the cases of its operations. */
import { Effect } from "effect"
import type { TestSuite } from "#support/TestSuite.ts"
import type { Case, Cases, Ids, Request, Who } from "./Case.ts"
import { type Operation, read, unpaired } from "./Operations.ts"
import { type Reply, send, wireOf } from "./Wire.ts"

export interface Walk {
  readonly suite: TestSuite
  /** The daemon's Postgres schema. */
  readonly schema: string
  readonly cases: Cases
  /** Users of two tenants, each with all permissions. */
  readonly a: Who
  readonly b: Who
  /** A user of B's tenant without permissions. */
  readonly powerless?: Who
  /** A service token of the platform scope. */
  readonly platform: Who
  /** Waits until no row changes by itself any more. Default: does not wait. */
  readonly settled?: Effect.Effect<unknown, unknown>
  /**
   * Tables (`schema.table`) that a refused call may write, such as an audit log of refusals or the counts of a
   * throttle.
   */
  readonly mayWrite?: ReadonlyArray<string>
  /** Selects cases. Default: all. */
  readonly only?: (told: Case) => boolean
}

/** Sends the request of a case as a caller; `who` undefined: without credentials. */
export const ask = (walk: Walk, operation: Operation, request: Request, who: Who | undefined): Effect.Effect<Reply> =>
  Effect.promise(() => send(walk.suite.base(), wireOf(operation.method, operation.template, request, who)))

/** Sends the request without any credentials, even those that the case sets itself. */
export const askUnnamed = (walk: Walk, operation: Operation, request: Request): Effect.Effect<Reply> => {
  const { authorization: _, cookie: __, "x-service-token": ___, ...headers } = request.headers ?? {}
  return ask(walk, operation, { ...request, headers }, undefined)
}

/** Creates a new thing and waits until nothing changes it any more. */
export const seeded = <I extends Ids>(
  walk: Walk,
  { seed }: { readonly seed: (as: Who) => Effect.Effect<I, unknown> },
  as: Who
): Effect.Effect<I> => Effect.orDie(Effect.tap(seed(as), walk.settled ?? Effect.void))

/** Findings of all operations: missing cases first, then the results of `look` per operation. */
export const every = (
  walk: Walk,
  look: (
    operation: Operation,
    told: Case,
    all: ReadonlyArray<Operation>
  ) => Effect.Effect<ReadonlyArray<string>, unknown>
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const operations = yield* read(walk.suite.base())
    const walked = operations.filter(
      ({ name }) => Object.hasOwn(walk.cases, name) && (walk.only?.(walk.cases[name]!) ?? true)
    )
    const found = yield* Effect.forEach(walked, (operation) =>
      Effect.map(Effect.orDie(look(operation, walk.cases[operation.name]!, operations)), (findings) =>
        findings.map((finding) => `${operation.name}: ${finding}`)
      )
    )
    return [...new Set([...unpaired(operations, walk.cases), ...found.flat()])]
  })
