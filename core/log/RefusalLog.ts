/**
 * Counts refusals and writes failed sign-in attempts to the audit log. A flood of refusals must not become a flood of
 * rows, but its size must stay visible. Within a minute, the first refusal per kind, subject and client is written at
 * once. The others are summed up in one entry, at the end of the minute or when the process stops. The number of
 * subjects and clients tracked per kind is limited.
 */
import type { PgClient } from "@effect/sql-pg"
import { Duration, Effect, type Scope } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { write } from "./Audit.ts"
import { providerTenant } from "../auth/Caller.ts"
import type { Database } from "../sql/Database.ts"
import { clientKey } from "../http/ClientKey.ts"
import * as Metrics from "../metrics/Metrics.ts"

/** Interval at which repeated refusals are summed up. */
export const sumsEvery = Duration.minutes(1)

/**
 * Maximum number of subjects and clients tracked per kind; the others are summed up together. Unit: entries. Reason: a
 * botnet must not fill the disk or the heap.
 */
export const maxEntries = 100

/** How long writing the last sums may take when the process stops. Unit: seconds. */
const lastSums = Duration.seconds(2)

/** A refusal. Must not contain secrets. `entity` and `id` name the account, not the person at the address. */
export interface Refused {
  /** Constant word that the caller cannot influence: `password`, `second_factor`, `throttled`, `refresh_reuse`, … */
  readonly kind: string
  /** Client address. An IPv6 /64 network counts as one client. */
  readonly address: string
  readonly tenantId?: number | undefined
  /** The affected entity when known: `user`, `12`. */
  readonly entity?: string
  readonly id?: string
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface RefusalLog {
  /**
   * Counts and records the refusal. Never fails: the refusal stands even if it cannot be written. Call it outside
   * transactions.
   */
  readonly tell: (refusal: Refused) => Effect.Effect<void>
  /** Only counts, for refusals that are not sign-in attempts (an expired token). */
  readonly count: (kind: string) => void
}

/** Refusals since the last sums, of one kind, subject and client. */
interface Told {
  readonly first: Omit<Refused, "address"> & { readonly address: string | undefined }
  /** Number of refusals not yet written to a row. */
  unwritten: number
}

type Ground = SqlClient.SqlClient | PgClient.PgClient | Database

const refusals = Metrics.counter("refusals_total", {
  help: "Refused requests, sign-ins and tokens, by daemon and kind.",
  labels: ["daemon", "kind"]
})

/** `daemon`: the one that refuses; `core` for what every daemon refuses alike. */
export const make = Effect.fnUntraced(function* (
  daemon: string
): Effect.fn.Return<RefusalLog, never, Ground | Scope.Scope> {
  const ground = yield* Effect.context<Ground>()
  const told = new Map<string, Told>()
  const held = new Map<string, number>()
  const count = (kind: string) => refusals.add({ daemon, kind })

  const entry = (
    { first: { address, detail, entity, id, kind, tenantId } }: Told,
    more: Readonly<Record<string, unknown>>
  ) =>
    write({
      tenantId: tenantId ?? providerTenant,
      actor: "nobody",
      action: `refused.${kind}`,
      entity: entity ?? "sign_in",
      id: id ?? "unknown",
      address,
      detail: { ...detail, ...more }
    }).pipe(Effect.provideContext(ground))

  const hold = (kind: string, change: 1 | -1) => held.set(kind, (held.get(kind) ?? 0) + change)

  const unwritten = (error: SqlError.SqlError) =>
    Effect.logWarning(`cannot write a refusal to the audit log: ${error.message}`)

  /** Writes the pending sums. Sums that cannot be written wait for the next interval. */
  const sumUp = Effect.gen(function* () {
    for (const [key, one] of Array.from(told)) {
      const repeated = one.unwritten
      if (repeated === 0) {
        told.delete(key)
        if (key !== one.first.kind) hold(one.first.kind, -1)
        continue
      }
      one.unwritten = 0
      yield* Effect.catch(entry(one, { repeated }), (error) => {
        one.unwritten += repeated
        return unwritten(error)
      })
    }
  })

  yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(sumUp, lastSums)))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(sumsEvery), sumUp)))

  const tell = (refusal: Refused) =>
    Effect.suspend(() => {
      const { entity = "", id = "", kind } = refusal
      count(kind)
      const key = `${kind} ${entity} ${id} ${clientKey(refusal.address)}`
      const before = told.get(key) ?? told.get(kind)
      if (before !== undefined) {
        before.unwritten++
        return Effect.void
      }
      if ((held.get(kind) ?? 0) >= maxEntries) {
        told.set(kind, { first: { kind, address: undefined, detail: { from: "many" } }, unwritten: 1 })
        return Effect.void
      }
      const first: Told = { first: refusal, unwritten: 0 }
      told.set(key, first)
      hold(kind, 1)
      // Uninterruptible, so that a client that disconnects at once is recorded too.
      return Effect.uninterruptible(
        Effect.catch(entry(first, {}), (error) => {
          first.unwritten++
          return unwritten(error)
        })
      )
    })

  return { count, tell }
})
