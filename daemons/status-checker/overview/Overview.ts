/** Checks, subscribers and mails for operators. Runs in the surrounding transaction. */
import { spokenIn } from "#core/words/Sentences.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import type { ProbeResult } from "#core/probes/ProbeResult.ts"
import type { Component } from "../status/Model.ts"
import type { ComponentStatus } from "../status/Vocabulary.ts"
import { type Author, recordChange } from "../status/AdminChange.ts"

interface State {
  readonly component_id: string
  readonly status: ComponentStatus
  readonly since: Date
  readonly checked_at: Date
  readonly seen: ComponentStatus | null
  readonly streak: number
  readonly results: ReadonlyArray<ProbeResult>
}

/** Last check of each component, in the order of `components`. The results are in this language. */
export const checks = Effect.fnUntraced(function* (
  components: ReadonlyArray<Component>,
  language: LanguageCode = "en"
) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<State>`select component_id, status, since, checked_at, seen, streak, results
      from status_checker.component_state`
  const states = new Map(rows.map((row) => [row.component_id, row]))
  return components.map(({ id, name, name_en }) => {
    const state = states.get(id)
    return {
      component_id: id,
      name,
      name_en,
      status: state?.status ?? null,
      since: iso(state?.since),
      checked_at: iso(state?.checked_at),
      seen: state?.seen ?? null,
      streak: state?.streak ?? 0,
      results: (state?.results ?? []).map(({ detail, kind, outcome }) => ({
        kind,
        outcome,
        detail: spokenIn(language, detail)
      }))
    }
  })
})

interface Subscriber {
  readonly id: number
  readonly email: string
  readonly lang: LanguageCode
  readonly components: ReadonlyArray<string> | null
  readonly status: "pending" | "confirmed"
  readonly created_at: Date
  readonly confirmed_at: Date | null
}

/** Newest first: at most `limit` subscribers with ids below `before`. */
export const subscribers = Effect.fnUntraced(function* (
  status: Subscriber["status"] | undefined,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Subscriber>`select id, email, lang, components, status, created_at, confirmed_at
      from status_checker.subscribers where ${sql.and([
        sql`true`,
        ...(before === undefined ? [] : [sql`id < ${before}`]),
        ...(status === undefined ? [] : [sql`status = ${status}`])
      ])} order by id desc limit ${limit}`
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString(), confirmed_at: iso(row.confirmed_at) }))
})

/** Number of subscribers by status. */
export const subscriberCounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    status: Subscriber["status"]
    count: number
  }>`select status, count(*)::int as count from status_checker.subscribers group by status`
  const of = (status: Subscriber["status"]) => rows.find((row) => row.status === status)?.count ?? 0
  return { confirmed: of("confirmed"), pending: of("pending") }
})

/** Deletes a subscriber with all mails. The audit log omits the address, because the person asked to be forgotten. */
export const removeSubscriber = Effect.fnUntraced(function* (id: number, by: Author) {
  const sql = yield* SqlClient.SqlClient
  const [gone] = yield* sql<{
    status: string
  }>`delete from status_checker.subscribers where id = ${id} returning status`
  if (gone === undefined) return yield* new NotFound({ detail: "There is no such subscriber." })
  yield* recordChange(by, "subscriber", id, "removed", { status: gone.status })
})

interface Mail {
  readonly id: bigint
  readonly subscriber_id: number
  readonly email: string
  readonly kind: "confirm" | "notice"
  readonly message_id: string
  readonly state: "pending" | "attempting" | "delivered" | "failed"
  readonly attempts: number
  readonly next_at: Date
  readonly last_error: string | null
  readonly created_at: Date
  readonly done_at: Date | null
}

/**
 * Newest first: at most `limit` mails with ids below `before`, without their content. Without `state`: all undelivered
 * ones.
 */
export const mails = Effect.fnUntraced(function* (
  state: Mail["state"] | undefined,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  const rows =
    yield* sql<Mail>`select m.id, m.subscriber_id, s.email, m.kind, m.message_id, m.state, m.attempts, m.next_at,
      m.last_error, m.created_at, m.done_at
    from status_checker.mails m join status_checker.subscribers s on s.id = m.subscriber_id where ${sql.and([
      state === undefined ? sql`m.state <> 'delivered'` : sql`m.state = ${state}`,
      ...(before === undefined ? [] : [sql`m.id < ${before}`])
    ])} order by m.id desc limit ${limit}`
  return rows.map((row) => ({
    ...row,
    id: Number(row.id),
    next_at: row.next_at.toISOString(),
    created_at: row.created_at.toISOString(),
    done_at: iso(row.done_at)
  }))
})

const iso = (at: Date | null | undefined): string | null => (at === null || at === undefined ? null : at.toISOString())
