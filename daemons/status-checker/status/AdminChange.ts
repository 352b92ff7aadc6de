/**
 * Author, audit entry and checks that all changes of incidents and maintenance share. Everything runs in the
 * surrounding transaction.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { isDeepStrictEqual } from "node:util"
import * as Audit from "#core/log/Audit.ts"
import { Caller, nameOf, providerTenant } from "#core/auth/Caller.ts"
import { client } from "#core/http/Client.ts"
import { InvalidRequest } from "#core/http/Problem.ts"
import { Wake } from "#core/events/Wake.ts"
import { topic } from "./Model.ts"

/** Author of a change, as the audit log names it. */
export interface Author {
  readonly actor: string
  /** Address of the client; absent for changes without a request. */
  readonly address?: string
}

/** Operator at the command line of this machine. */
export const operator: Author = { actor: Audit.operator }

/** The daemon itself. */
export const system: Author = { actor: "system" }

/** Caller of the current request. */
export const requester: Effect.Effect<Author, never, Caller | HttpServerRequest.HttpServerRequest> = Effect.gen(
  function* () {
    const { address } = yield* client
    return { actor: nameOf(yield* Caller), address }
  }
)

/** Kinds of entities in the audit log. */
export type Entity = "component" | "incident" | "maintenance" | "subscriber"

/** Writes the change to the audit log and notifies all processes. */
export const recordChange = Effect.fnUntraced(function* (
  by: Author,
  entity: Entity,
  id: string | number,
  action: string,
  detail: Audit.Entry["detail"] = {}
) {
  yield* Audit.write({ tenantId: providerTenant, ...by, action: `${entity}.${action}`, entity, id: String(id), detail })
  yield* (yield* Wake).announce(topic)
})

/** Fields that differ between `before` and `after`, with both values; undefined when all are equal. Pure. */
export const differences = <A extends object>(before: A, after: A, fields: ReadonlyArray<keyof A & string>) => {
  // Not by text: Postgres returns the members of jsonb in an order of its own.
  const found = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]))
  return found.length === 0
    ? undefined
    : Object.fromEntries(found.map((field) => [field, { from: before[field], to: after[field] }]))
}

/** 422 for one bad field that no schema can check. */
export const invalid = (field: string, message: string) => new InvalidRequest({ errors: [{ field, message }] })

/** Fails with 422 for each id in `wanted` that is neither a component nor in `before`. */
export const requireComponents = (
  wanted: ReadonlyArray<string>,
  components: ReadonlySet<string>,
  before: ReadonlyArray<string> = []
) => {
  const errors = wanted.flatMap((id, index) =>
    components.has(id) || before.includes(id)
      ? []
      : [{ field: `payload.components[${index}]`, message: "must be the id of a component" }]
  )
  return errors.length === 0 ? Effect.void : Effect.fail(new InvalidRequest({ errors }))
}
