/** Implementation of the commands about fetches. They use the database; the daemon carries the fetches out. */
import { Console, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Ended, exitUsage, fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { print, table } from "#core/cli/Output.ts"
import { withStorage } from "#core/cli/Storage.ts"
import * as Incarnation from "#core/cluster/Incarnation.ts"
import * as Wake from "#core/events/Wake.ts"
import * as Jobs from "#core/jobs/Jobs.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { FetchWanted } from "../bank-store/BankJobs.ts"
import { bankFetcher } from "../Daemon.ts"
import { notReadySentence, stoppedSentence } from "./AccountWords.ts"
import { dayProblem } from "./FetchDays.ts"
import * as FetchStore from "./FetchStore.ts"

/** Interval of looks at a fetch that a person waits for. Unit: milliseconds. */
const lookInterval = 500

const withBank = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  withStorage(Effect.andThen(Migrations.run(bankFetcher.migrations), effect))

/** Also sends jobs. */
const withJobs = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  withBank(
    Effect.provide(
      Effect.scoped(
        Effect.andThen(
          // This process claims no jobs, so its row can be removed at once.
          Effect.flatMap(Incarnation.Incarnation, (own) =>
            Effect.addFinalizer(() => Effect.ignore(own.forget(own.id)))
          ),
          effect
        )
      ),
      Jobs.layer([FetchWanted.queue]).pipe(
        Layer.provideMerge(Layer.mergeAll(Incarnation.layer(["operator"]), Wake.layer))
      )
    )
  )

interface AccountRow {
  readonly id: string
  readonly tenant_id: number
  readonly iban: string
  readonly active: boolean
  readonly key_status: string
  readonly stopped: string | null
  readonly has_connection: boolean
  readonly bank_accepted: boolean
}

/** The account with this id, or the only active one with this IBAN. */
const meant = Effect.fnUntraced(function* (which: string) {
  const sql = yield* SqlClient.SqlClient
  const key = which.replace(/\s/g, "")
  const rows = yield* sql<AccountRow>`
    select id, tenant_id, iban, active, key_status, stopped, server_url is not null as has_connection,
        exists (select 1 from bank_fetcher.bank_key k where k.account_id = a.id and k.accepted_at is not null)
          as bank_accepted
      from bank_fetcher.account a where id::text = ${key.toLowerCase()} or (iban = ${key.toUpperCase()} and active)`
  const [account] = rows
  if (account === undefined) return yield* fail(`The account ${which} does not exist.`)
  if (rows.length > 1)
    return yield* fail(
      `Several tenants have the account ${which}. Name one of these ids: ` +
        rows.map(({ id, tenant_id }) => `${id} (tenant ${tenant_id})`).join(", ")
    )
  return account
})

/** Why the account cannot be fetched; undefined: it can. */
const obstacle = ({ active, bank_accepted, has_connection, key_status, stopped }: AccountRow) => {
  const reason = !active
    ? "inactive"
    : !has_connection
      ? "no_ebics"
      : key_status !== "active"
        ? "keys"
        : bank_accepted
          ? undefined
          : "bank_keys"
  if (reason !== undefined) return notReadySentence({ reason, key_status })
  return stopped === null ? undefined : stoppedSentence
}

interface FetchFlags {
  readonly account: string
  readonly from: Option.Option<string>
  readonly to: Option.Option<string>
  readonly order: Option.Option<string>
  readonly wait: boolean
  readonly json: boolean
}

export const fetch = Effect.fnUntraced(function* ({ account, from, json, order, to, wait }: FetchFlags) {
  const days = { from: Option.getOrUndefined(from), to: Option.getOrUndefined(to) }
  const problem = dayProblem(days, new Date().toISOString().slice(0, 10))
  if (problem !== undefined) return yield* fail(`--${problem.day} ${problem.message}`, exitUsage)
  const ended = yield* withJobs(
    Effect.gen(function* () {
      const row = yield* meant(account)
      const why = obstacle(row)
      if (why !== undefined) return yield* fail(why)
      const wanted = yield* transaction(
        FetchStore.request({
          tenantId: row.tenant_id,
          accountId: row.id,
          from: days.from ?? null,
          to: days.to ?? null,
          orderTypes: Option.isSome(order) ? [order.value] : null,
          by: "operator"
        })
      ).pipe(Effect.catchTag("TooManyFetches", ({ detail }) => fail(detail ?? "Too many fetches.")))
      return wait ? yield* watched(wanted) : wanted
    })
  )
  yield* print(json, FetchStore.view(ended), () => lines(ended))
  if (wait && ended.state === "failed") return yield* new Ended({ code: 1 })
})

/** Waits for the end of a fetch and prints what changes. */
const watched = Effect.fnUntraced(function* (wanted: FetchStore.FetchRow) {
  let fetch = wanted
  let told = ""
  while (fetch.finished_at === null) {
    const now = summary(fetch)
    if (now !== told) yield* Console.error(now)
    told = now
    yield* Effect.sleep(lookInterval)
    fetch = yield* Effect.catchTag(FetchStore.get(wanted.id), "NotFound", () => fail("The fetch was deleted."))
  }
  return fetch
})

/** The state in one line. */
const summary = ({ attempts, orders, problem, retry_at, state }: FetchStore.FetchRow): string => {
  if (state === "waiting")
    return retry_at === null
      ? "waiting for its turn"
      : `attempt ${attempts} failed, again at ${minute(retry_at)}: ${problem ?? ""}`
  const last = orders.at(-1)
  const segments = last?.segments === null || last === undefined ? "" : ` ${last.segments_received}/${last.segments}`
  return last === undefined ? state : `${last.order_type}: ${last.state}${segments}`
}

const lines = (fetch: FetchStore.FetchRow): ReadonlyArray<string> => [
  `fetch ${fetch.id}: ${fetch.state}`,
  ...fetch.orders.map(
    (order) => `  ${order.order_type}: ${order.state}, ${order.files} files, ${order.new_files} of them new`
  ),
  ...(fetch.problem === null ? [] : [fetch.problem])
]

interface ListFlags {
  readonly account: Option.Option<string>
  readonly state: Option.Option<string>
  readonly tenant: Option.Option<number>
  readonly limit: number
  readonly json: boolean
}

export const fetches = Effect.fnUntraced(function* ({ account, json, limit, state, tenant }: ListFlags) {
  const found = yield* withBank(
    Effect.gen(function* () {
      const of = Option.isSome(account) ? { account_id: (yield* meant(account.value)).id } : {}
      const filter = {
        ...of,
        ...(Option.isSome(state) ? { state: state.value } : {}),
        ...(Option.isSome(tenant) ? { tenant_id: tenant.value } : {})
      }
      const sql = yield* SqlClient.SqlClient
      const rows = yield* FetchStore.list(filter, undefined, limit)
      const ibans = yield* sql<{ id: string; iban: string }>`select id, iban from bank_fetcher.account
        where id = any(${[...new Set(rows.map(({ account_id }) => account_id))]}::uuid[])`
      const ibanOf = new Map(ibans.map(({ iban, id }) => [id, iban]))
      return rows.map((row) => ({ row, iban: ibanOf.get(row.account_id) ?? row.account_id }))
    })
  )
  yield* print(
    json,
    found.map(({ row }) => FetchStore.view(row)),
    () =>
      table("No fetches yet.", [
        ["CREATED", "ACCOUNT", "REASON", "STATE", "NEW", "ATTEMPTS", "PROBLEM"],
        ...found.map(({ iban, row }) => [
          minute(row.created_at),
          iban,
          row.reason,
          row.state,
          String(row.orders.reduce((sum, { new_files }) => sum + new_files, 0)),
          String(row.attempts),
          row.problem ?? ""
        ])
      ])
  )
})
