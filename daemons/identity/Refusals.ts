/**
 * What was refused, counted and, where somebody tried to get in, written into the audit log. A flood of refusals must not
 * become a flood of rows: of one kind and address one entry a minute is written, with how many there were before it.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Metric } from "effect"
import type { SqlClient } from "effect/sql"
import { LRUCache } from "lru-cache"
import { write } from "#core/Audit.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import type { Database } from "#core/Database.ts"

const refused = Metric.counter("identity_refused_total", { description: "Sign-ins and tokens refused, by kind" })

/** Of one kind, subject and address one entry in so long. Unit: milliseconds. */
const entryEvery = 60_000

/** Kinds and addresses remembered. Unit: entries. Reason: a flood from many addresses must not fill the heap. */
const remembered = 10_000

/** A refusal. Nothing of it may be a secret; `subject` is an account's number, an address's owner is not told apart. */
export interface Refused {
  /** `password`, `second_factor`, `throttled`, `refresh_reuse`, `introspection_caller`, … */
  readonly kind: string
  /** The client's address. */
  readonly address: string
  readonly tenantId?: number | undefined
  /** Whom it concerns, where that is known: `user`, `12`. */
  readonly entity?: string
  readonly id?: string
  readonly detail?: Readonly<Record<string, unknown>>
}

export class Refusals extends Context.Service<Refusals, {
  /** Counts it and writes it down. Never fails: the refusal stands whether or not it could be written. */
  readonly tell: (refusal: Refused) => Effect.Effect<void>
  /** Counts only, for what is no try to get in (an expired token). */
  readonly count: (kind: string) => void
}>()("signalbox/identity/Refusals") {}

export const layer: Layer.Layer<Refusals, never, SqlClient.SqlClient | PgClient.PgClient | Database> = Layer.effect(
  Refusals,
  Effect.gen(function*() {
    const context = yield* Effect.context<SqlClient.SqlClient | PgClient.PgClient | Database>()
    const told = new LRUCache<string, { readonly at: number; since: number }>({ max: remembered })
    const count = (kind: string) => Metric.withAttributes(refused, { kind }).updateUnsafe(1, Context.empty())

    return Refusals.of({
      count,
      tell: (refusal) =>
        Effect.suspend(() => {
          count(refusal.kind)
          const key = `${refusal.kind} ${refusal.entity ?? ""}${refusal.id ?? ""} ${refusal.address}`
          const before = told.get(key)
          const now = Date.now()
          if (before !== undefined && now - before.at < entryEvery) {
            before.since++
            return Effect.void
          }
          told.set(key, { at: now, since: 0 })
          return write({
            tenantId: refusal.tenantId ?? providerTenant,
            actor: "nobody",
            action: `refused.${refusal.kind}`,
            entity: refusal.entity ?? "sign_in",
            id: refusal.id ?? "unknown",
            address: refusal.address,
            detail: { ...refusal.detail, ...(before === undefined ? {} : { since_last_entry: before.since }) }
          }).pipe(
            Effect.catch((error) => Effect.logWarning(`a refusal could not be written down: ${error.message}`)),
            Effect.provideContext(context)
          )
        })
    })
  })
)
