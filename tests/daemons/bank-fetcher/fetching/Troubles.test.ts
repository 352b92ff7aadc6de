/** Banks that are away, slow or wrong: backoff, health, one event an outage; and no other tenant waits. */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect } from "vitest"
import { testKeys } from "#support/bank/TestKeys.ts"
import { until } from "#support/Frame.ts"
import { startBank, startFetching } from "./Fetching.ts"

const statement = (text: string) => Buffer.from(`<Document><!-- ${text} --></Document>`)

/** What the event and the health say about outages. */
const observed = (place: Effect.Success<ReturnType<typeof startFetching>>) => ({
  events: Effect.map(
    place.sql<{ data: any }>`select data from core.event where type = 'bank.fetch.failed' order by id`,
    (rows) => rows.map(({ data }) => data)
  ),
  component: Effect.gen(function* () {
    const { json } = yield* place.call("GET", "/health", { token: yield* place.token })
    return json.components.bank_accounts as { readonly status: string; readonly detail?: string }
  })
})

describe("a bank in trouble", () => {
  it.live(
    "is asked again with pauses, is named in health and has one event, until it answers",
    () =>
      Effect.gen(function* () {
        // An answer of the bank may take one minute, which must be enough for an honest one on a busy machine.
        const place = yield* startFetching({ minute: 5_000 })
        const { component, events } = observed(place)
        const to = yield* startBank()
        const account = yield* place.account(to)
        yield* until(
          "health to see the account",
          Effect.map(component, ({ status }) => status === "ok")
        )
        // The hanging answer is that to HPB, which follows a wrong signature.
        to.bank.failNext("cut", "html502", "wrongSignature", "hang")
        to.bank.offer("C53", statement("late"))
        const { json } = yield* place.request(account)
        const done = yield* place.reached(json.id, 1, "done")
        expect([done.attempts, done.problem]).toEqual([4, null])
        expect(yield* events).toEqual([
          {
            account_id: account.id,
            tenant_id: 1,
            account: account.name,
            iban: account.iban,
            fetch_id: json.id,
            problem: "The answer of the bank cannot be used: the signature of the bank is missing or wrong.",
            code: null,
            since: expect.stringMatching(/Z$/)
          }
        ])
        // A new outage has a new event. The bank is away as a whole.
        yield* Effect.promise(() => to.bank.stop())
        const second = yield* place.request(account)
        yield* until(
          "the event of the second outage",
          Effect.map(events, ({ length }) => length === 2),
          30
        )
        yield* until(
          "health to see the outage",
          Effect.map(component, ({ status }) => status === "degraded")
        )
        const ill = yield* component
        expect(ill.detail).toMatch(new RegExp(`^${account.iban} cannot be fetched since .*attempts\\)$`))
        expect((yield* place.show(second.json.id)).problem).toMatch(/^The bank does not answer: .*ECONNREFUSED/)
        expect((yield* place.show(second.json.id)).problem).not.toContain("127.0.0.1")
        yield* Effect.promise(() => to.bank.start(Number(new URL(to.url).port)))
        yield* place.reached(second.json.id, 1, "empty")
        yield* until(
          "health to be well",
          Effect.map(component, ({ status }) => status === "ok")
        )
        expect(yield* events).toHaveLength(2)
        expect(
          yield* place.sql`select failures, since, last_problem, last_success is not null as success
          from bank_fetcher.fetch_state`
        ).toEqual([{ failures: 0, since: null, last_problem: null, success: true }])
      }).pipe(Effect.scoped),
    120_000
  )

  it.live("that hangs for one tenant holds up no other tenant", () =>
    Effect.gen(function* () {
      // An answer may take a minute, so the hanging fetches stay until the end of the test.
      const place = yield* startFetching({ minute: 60_000 })
      const hanging = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const server = createServer(() => {})
          await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
          return server
        }),
        (server) => Effect.promise(async () => void (server.closeAllConnections(), server.close()))
      )
      const stuck = { ...(yield* startBank()), url: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/x` }
      const well = yield* startBank()
      const asked = yield* Effect.forEach(Array.from({ length: 12 }), () =>
        Effect.flatMap(place.account(stuck, { tenant: 2 }), place.request)
      )
      expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 202))
      yield* until(
        "two fetches to hang",
        Effect.map(place.fetches(2, "?state=running"), ({ length }) => length === 2)
      )
      const account = yield* place.account(well, { tenant: 3 })
      well.bank.offer("C53", statement("in time"))
      const { json } = yield* place.request(account)
      expect((yield* place.reached(json.id, 3, "done")).attempts).toBe(1)
      const others = yield* place.fetches(2)
      expect(others.filter(({ state }) => state === "running")).toHaveLength(2)
      expect(others.filter(({ state }) => state === "waiting")).toHaveLength(10)
    }).pipe(Effect.scoped)
  )

  it.live("that has new keys stops the account until a person compares them", () =>
    Effect.gen(function* () {
      const place = yield* startFetching()
      const { component, events } = observed(place)
      const to = yield* startBank()
      const account = yield* place.account(to)
      to.bank.keys = { ...to.bank.keys, encryption: testKeys.other }
      const { json } = yield* place.request(account)
      const failed = yield* place.reached(json.id, 1, "failed")
      expect(failed.problem).toMatch(/keys of the bank have changed/)
      expect(failed.attempts).toBe(1)
      expect(yield* events).toMatchObject([{ account_id: account.id, code: "091008" }])
      const refused = yield* place.request(account)
      expect([refused.status, refused.json.code]).toEqual([409, "account_not_ready"])
      expect(refused.json.detail).toMatch(/compare and accept/)
      yield* until(
        "health to say it",
        Effect.map(component, ({ detail }) => detail?.includes("waits for a person") === true)
      )
    }).pipe(Effect.scoped)
  )

  it.live("that refuses a request is not asked again, and one that has no such order type is asked for another", () =>
    Effect.gen(function* () {
      const place = yield* startFetching()
      const { events } = observed(place)
      const to = yield* startBank()
      const locked = yield* place.account(to)
      locked.user.state = "Locked"
      const { json } = yield* place.request(locked)
      const failed = yield* place.reached(json.id, 1, "failed")
      expect(failed).toMatchObject({ attempts: 1, orders: [{ order_type: "C53", state: "failed", code: "091002" }] })
      expect(failed.problem).toMatch(/has locked it\. \(091002/)
      expect(yield* events).toMatchObject([{ account_id: locked.id, code: "091002" }])

      const other = yield* place.account(to, {
        version: "H004",
        orderTypes: [
          { order: "XYZ", kind: "daily" },
          { order: "STA", kind: "daily" }
        ]
      })
      to.bank.offer("STA", statement("mt"))
      const asked = yield* place.request(other)
      const ended = yield* place.reached(asked.json.id, 1, "done")
      expect(ended.orders.map(({ code, order_type, state }) => [order_type, state, code])).toEqual([
        ["XYZ", "not_permitted", "091005"],
        ["STA", "done", null]
      ])
      expect(ended.problem).toBe("The bank does not offer the user XYZ.")
    }).pipe(Effect.scoped)
  )
})
