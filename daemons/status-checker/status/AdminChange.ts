/**
 * What all changes of incidents and maintenance have in common. Everything here runs in the surrounding transaction.
 */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as Audit from "#core/log/Audit.ts"
import { Caller, nameOf, providerTenant } from "#core/auth/Caller.ts"
import { client } from "#core/http/Client.ts"
import { InvalidRequest } from "#core/http/Problem.ts"
import { Wake } from "#core/events/Wake.ts"
import { topic } from "./Model.ts"

/** Who changes something, as the audit log names them. */
export interface Author {
  readonly actor: string
  /** The client's address, where there is one. */
  readonly address?: string
}

/** Somebody at this machine's command line. */
export const operator: Author = { actor: Audit.operator }

/** We ourselves. */
export const system: Author = { actor: "system" }

/** The caller of this request. */
export const requester: Effect.Effect<Author, never, Caller | HttpServerRequest.HttpServerRequest> = Effect.gen(
  function* () {
    const { address } = yield* client
    return { actor: nameOf(yield* Caller), address }
  }
)

/** Kinds of things, as the audit log names them. */
export type Entity = "incident" | "maintenance" | "subscriber"

/** Into the audit log, and all processes look again. */
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

/** Which of these fields are others in `after`, with both values; undefined when none is. Pure. */
export const differences = <A extends object>(before: A, after: A, fields: ReadonlyArray<keyof A & string>) => {
  const found = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
  return found.length === 0
    ? undefined
    : Object.fromEntries(found.map((field) => [field, { from: before[field], to: after[field] }]))
}

/** One bad field that no schema can judge. */
export const invalid = (field: string, message: string) => new InvalidRequest({ errors: [{ field, message }] })

/** 422 naming those of `wanted` that are no components and were not there before. */
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
