/** Fetches by schedule: missed times, accounts that stop, keys that wait, and another process. */
import { describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { expect } from "vitest"
import { bankFetcher } from "#daemons/bank-fetcher/Daemon.ts"
import { migratedDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { until } from "#support/Frame.ts"
import { type Fetch, startBank, startFetching } from "./Fetching.ts"

/** A schedule whose firings are far from the time of the test, but not farther than two days. */
const daily = () => {
  const hour = (new Date().getUTCHours() + 12) % 24
  return `0 ${hour} * * *`
}

type Place = Effect.Success<ReturnType<typeof startFetching>>

const actorsOf = (place: Place) =>
  Effect.gen(function* () {
    const { json } = yield* place.call("GET", "/health", { token: yield* place.token })
    return json.actors as ReadonlyArray<{ readonly name: string; readonly state: string; readonly note?: string }>
  })

/** Number of accounts whose schedules run in this process. */
const scheduled = (place: Place) =>
  Effect.map(actorsOf(place), (actors) =>
    actors
      .filter(({ name }) => name.startsWith("bank accounts "))
      .reduce((sum, { note }) => sum + Number.parseInt(note ?? "0", 10), 0)
  )

describe("a schedule", () => {
  it.live("makes a missed time up once, also 20 days later", () =>
    Effect.gen(function* () {
      const place = yield* startFetching()
      const to = yield* startBank()
      to.bank.offer("C53", Buffer.from("<Document/>"))
      const account = yield* place.account(to, { age: 20 * 24, daily: daily() })
      yield* until(
        "the fetch to end",
        Effect.map(place.fetches(1), ([one]) => one?.state === "done")
      )
      const [fetch, ...others] = yield* place.fetches(1)
      expect(others).toEqual([])
      expect(fetch).toMatchObject({ reason: "daily", requested_by: "schedule", account_id: account.id })
      expect(Date.now() - Date.parse(fetch!.scheduled_for!)).toBeLessThan(24 * 3_600_000)
      // A changed account starts its schedule again, which finds the firing handled.
      yield* place.sql`update bank_fetcher.account set name = 'Other', intraday_schedule = ${daily()}`
      yield* until(
        "the intraday fetch",
        Effect.map(place.fetches(1), ({ length }) => length === 2)
      )
      expect((yield* place.fetches(1)).map(({ reason }) => reason)).toEqual(["intraday", "daily"])
    }).pipe(Effect.scoped)
  )

  it.live("ends with the account, and waits while it is suspended", () =>
    Effect.gen(function* () {
      const place = yield* startFetching()
      const to = yield* startBank()
      const account = yield* place.account(to)
      const paused = yield* place.account(to)
      const count = (wanted: number) =>
        until(
          `${wanted} schedules to run`,
          Effect.map(scheduled(place), (found) => found === wanted)
        )
      yield* count(2)
      yield* place.sql`update bank_fetcher.account set active = false where id = ${account.id}`
      yield* place.sql`update bank_fetcher.account set key_status = 'suspended' where id = ${paused.id}`
      yield* count(0)
      // Both are due now. Only the account that is active again is fetched.
      yield* place.sql`update bank_fetcher.account set daily_schedule = ${daily()}, created_at = '2026-01-01'`
      yield* place.sql`update bank_fetcher.account set key_status = 'active' where id = ${paused.id}`
      yield* until(
        "the fetch",
        Effect.map(place.fetches(1), ([one]) => one?.state === "empty")
      )
      expect((yield* place.fetches(1)).map(({ account_id }) => account_id)).toEqual([paused.id])
      yield* count(1)
    }).pipe(Effect.scoped)
  )

  it.live("ends a waiting fetch of a deactivated account without asking the bank", () =>
    Effect.gen(function* () {
      // The two pauses take nine seconds, in which the account is deactivated, also on a busy machine.
      const place = yield* startFetching({ minute: 12_000 })
      const to = yield* startBank()
      const account = yield* place.account(to)
      to.bank.failNext("html502", "html502")
      const { json } = yield* place.request(account)
      yield* until(
        "a failure",
        Effect.map(place.show(json.id), ({ retry_at }) => retry_at !== null)
      )
      yield* place.sql`update bank_fetcher.account set active = false`
      expect((yield* place.reached(json.id, 1, "failed")).problem).toBe("The account is deactivated.")
    }).pipe(Effect.scoped)
  )

  it.live("replaces a fetch that still waits for its next attempt", () =>
    Effect.gen(function* () {
      const place = yield* startFetching({ minute: 60_000 })
      const to = yield* startBank()
      const account = yield* place.account(to)
      const firing = new Date(Date.now() - 48 * 3_600_000)
      yield* place.sql`insert into bank_fetcher.fetch (tenant_id, account_id, reason, firing, state, requested_by,
          problem, retry_at)
        values (1, ${account.id}, 'daily', ${firing}, 'waiting', 'schedule', 'The bank does not answer.',
          now() + interval '1 hour')`
      yield* place.sql`update bank_fetcher.account set created_at = '2026-01-01', daily_schedule = ${daily()}`
      yield* until(
        "the new fetch",
        Effect.map(place.fetches(1), ([one]) => one?.state === "empty")
      )
      expect((yield* place.fetches(1)).map(({ problem, state }) => [state, problem])).toEqual([
        ["empty", null],
        ["failed", "The bank does not answer."]
      ])
    }).pipe(Effect.scoped)
  )

  it.live("waits for the passphrase of the keys, which health says and which is no failure", () =>
    Effect.gen(function* () {
      const place = yield* startFetching({ minute: 1_000 })
      const to = yield* startBank()
      const account = yield* place.account(to, { locked: true, age: 48, daily: daily() })
      const named = Effect.map(
        Effect.flatMap(place.token, (token) => place.call("GET", "/health", { token })),
        ({ json }) => String(json.components.bank_accounts?.detail)
      )
      yield* until(
        "health to say it",
        Effect.map(named, (detail) => detail.includes(`${account.iban} waits for the passphrase of its keys since`))
      )
      // A running fetch has counted its attempt; when its keys are still locked, it takes the attempt back and waits.
      let waiting: Fetch | undefined
      yield* until(
        "the fetch to wait",
        Effect.map(place.fetches(1), ([one]) => {
          waiting = one
          return one?.state === "waiting"
        })
      )
      expect(waiting).toMatchObject({ attempts: 0, problem: "The keys of the account wait for their passphrase." })
      expect(yield* place.sql`select failures from bank_fetcher.fetch_state`).toEqual([{ failures: 0 }])
      // As if the passphrase had been given.
      yield* place.sql`update bank_fetcher.account_key set under_passphrase = false`
      yield* place.reached(waiting!.id, 1, "empty")
      yield* until(
        "health to be well",
        Effect.map(named, (detail) => detail === "undefined")
      )
    }).pipe(Effect.scoped)
  )

  it.live(
    "goes on in another process of the fleet",
    () =>
      Effect.gen(function* () {
        const database = yield* migratedDatabase([bankFetcher.migrations])
        const env = { SIGNALBOX_DATA_DIR: yield* temporaryDirectory() }
        const scope = yield* Scope.make()
        const first = yield* Scope.provide(startFetching({ database, env }), scope)
        const to = yield* startBank()
        const account = yield* first.account(to)
        yield* until(
          "the first process to run it",
          Effect.map(scheduled(first), (found) => found === 1)
        )
        const second = yield* startFetching({ database, env: { SIGNALBOX_DATA_DIR: first.env["SIGNALBOX_DATA_DIR"]! } })
        yield* Scope.close(scope, Exit.void)
        yield* until(
          "the second process to run it",
          Effect.map(scheduled(second), (found) => found === 1),
          30
        )
        yield* second.sql`update bank_fetcher.account set created_at = '2026-01-01', daily_schedule = ${daily()}`
        yield* until(
          "the fetch",
          Effect.map(second.fetches(1), ([one]) => one?.state === "empty")
        )
        expect((yield* second.fetches(1)).map(({ account_id }) => account_id)).toEqual([account.id])
      }).pipe(Effect.scoped),
    120_000
  )
})
