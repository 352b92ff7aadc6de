/** What a walk is given: a running daemon, two tenants, and the case table of its operations. */
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
  /** Users of two tenants, each holding every permission. */
  readonly a: Who
  readonly b: Who
  /** Of B's tenant, without any permission. */
  readonly powerless?: Who
  /** A service token of the platform scope. */
  readonly platform: Who
  /** Waits until no row changes by itself any more. Default: at once. */
  readonly settled?: Effect.Effect<unknown, unknown>
  /** Tables (`schema.table`) that a refused call may write: an audit log of refusals, a throttle's counts. */
  readonly mayWrite?: ReadonlyArray<string>
  /** Which cases are walked. Default: every one. */
  readonly only?: (told: Case) => boolean
}

/** Sends what a case asks, as somebody; `who` undefined: without credentials. */
export const ask = (walk: Walk, operation: Operation, request: Request, who: Who | undefined): Effect.Effect<Reply> =>
  Effect.promise(() => send(walk.suite.base(), wireOf(operation.method, operation.template, request, who)))

/** Without anything that shows who calls, also where the case itself says who. */
export const askUnnamed = (walk: Walk, operation: Operation, request: Request): Effect.Effect<Reply> => {
  const { authorization: _, cookie: __, "x-service-token": ___, ...headers } = request.headers ?? {}
  return ask(walk, operation, { ...request, headers }, undefined)
}

/** A thing made anew, once nothing changes it by itself. */
export const seeded = <I extends Ids>(
  walk: Walk,
  { seed }: { readonly seed: (as: Who) => Effect.Effect<I, unknown> },
  as: Who
): Effect.Effect<I> => Effect.orDie(Effect.tap(seed(as), walk.settled ?? Effect.void))

/** The findings of every operation's own look, the missing cases first. */
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
