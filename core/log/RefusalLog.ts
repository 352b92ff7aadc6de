/**
 * What was refused, counted and, where somebody tried to get in, written into the audit log. A flood of refusals must
 * not become a flood of rows, nor hide how large it was: within a minute the first of a kind, subject and client is
 * written at once, the others are summed up in one entry at the minute's end or when the process stops; and of one kind
 * only so many subjects and clients are told apart, whatever number of them there are.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Duration, Effect, Metric, type Scope } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { write } from "./Audit.ts"
import { providerTenant } from "../auth/Caller.ts"
import type { Database } from "../sql/Database.ts"
import { clientKey } from "../http/ClientKey.ts"

/** How often what came again is summed up. */
export const sumsEvery = Duration.minutes(1)

/**
 * Subjects and clients of one kind told apart at a time; those beyond are summed up as one. Unit: entries. Reason: a
 * botnet fills no disk and no heap.
 */
export const maxEntries = 100

/** How long the last sums may take when the process stops. Unit: seconds. */
const lastSums = Duration.seconds(2)

/** A refusal. Nothing of it may be a secret; `subject` is an account's number, an address's owner is not told apart. */
export interface Refused {
  /** A word of ours, never the caller's: `password`, `second_factor`, `throttled`, `refresh_reuse`, … */
  readonly kind: string
  /** The client's address. Of IPv6 a /64 is one client. */
  readonly address: string
  readonly tenantId?: number | undefined
  /** Whom it concerns, where that is known: `user`, `12`. */
  readonly entity?: string
  readonly id?: string
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface RefusalLog {
  /**
   * Counts it and writes it down. Never fails: the refusal stands whether or not it could be written. Outside
   * transactions.
   */
  readonly tell: (refusal: Refused) => Effect.Effect<void>
  /** Counts only, for what is no try to get in (an expired token). */
  readonly count: (kind: string) => void
}

/** What was told since the last sums, by kind, subject and client. */
interface Told {
  readonly first: Omit<Refused, "address"> & { readonly address: string | undefined }
  /** How many came that no row tells of yet. */
  unwritten: number
}

type Ground = SqlClient.SqlClient | PgClient.PgClient | Database

/** `label`: the attribute of the counter that the kind is. */
export const make = Effect.fnUntraced(function* (
  counter: Metric.Counter<number>,
  label: string
): Effect.fn.Return<RefusalLog, never, Ground | Scope.Scope> {
  const ground = yield* Effect.context<Ground>()
  const told = new Map<string, Told>()
  const held = new Map<string, number>()
  /** One for each kind: to make it costs more than to count. */
  const counters = new Map<string, Metric.Metric<number, unknown>>()
  const count = (kind: string) => {
    const ours = counters.get(kind) ?? Metric.withAttributes(counter, { [label]: kind })
    counters.set(kind, ours)
    ours.updateUnsafe(1, Context.empty())
  }

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
    Effect.logWarning(`a refusal could not be written down: ${error.message}`)

  /** Writes what no row tells of yet; what cannot be written waits for the next time. */
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
      // Whoever hangs up at once is written down all the same.
      return Effect.uninterruptible(
        Effect.catch(entry(first, {}), (error) => {
          first.unwritten++
          return unwritten(error)
        })
      )
    })

  return { count, tell }
})
