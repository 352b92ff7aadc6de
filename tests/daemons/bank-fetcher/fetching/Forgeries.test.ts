/**
 * Answers of the bank whose signature is wrong, at every step whose answers are signed: nothing is believed, stored or
 * confirmed, and the next honest answer continues. Answers to HEV, INI, HIA and HPB have no signature in the protocol.
 */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { forgeries } from "#support/bank/Forgeries.ts"
import { until } from "#support/Frame.ts"
import { as, startBank, startFetching } from "./Fetching.ts"

const statement = Buffer.from("<Document><!-- one --></Document>")
const wrongSignature = "The answer of the bank cannot be used: the signature of the bank is missing or wrong."

/** The short form has the forgeries that differ most: no signature, another one, and a signed text changed. */
const short: ReadonlyArray<string> = ["no signature", "a changed signature", "a changed return code of the body"]
const all = Object.entries(forgeries).filter(
  ([name]) => process.env["SIGNALBOX_TEST_LONG"] === "1" || short.includes(name)
)

/** Forges the answers to one order or phase, and counts them. */
const forging = (to: Effect.Success<ReturnType<typeof startBank>>, what: string, forge: (answer: string) => string) => {
  let forged = 0
  to.bank.alter = (answer, of) => {
    if (of !== what) return answer
    const changed = forge(answer)
    expect(changed).not.toBe(answer)
    forged++
    return changed
  }
  return () => forged
}

/** Runs a test for each forgery, four at a time, each with a bank and a tenant of its own. */
const forEachForgery = <E, R>(
  test: (name: string, forge: (answer: string) => string, tenant: number) => Effect.Effect<void, E, R>
) => Effect.forEach(all, ([name, forge], at) => test(name, forge, at + 1), { concurrency: 4, discard: true })

/** The fetch between two attempts, or after its end. The next attempt begins a second later, so it is read once. */
const afterAttempt = Effect.fnUntraced(function* (
  place: Effect.Success<ReturnType<typeof startFetching>>,
  id: string,
  tenant: number
) {
  let seen = yield* place.show(id, tenant)
  yield* until(
    "an attempt to end",
    Effect.gen(function* () {
      seen = yield* place.show(id, tenant)
      return seen.retry_at !== null || (seen.state !== "running" && seen.state !== "waiting")
    }),
    30
  )
  return seen
})

describe("answers with a wrong signature", () => {
  it.live.each(["C53", "Transfer"])(
    "to %s store nothing and send no receipt, until the bank answers honestly",
    (what) =>
      Effect.gen(function* () {
        const place = yield* startFetching()
        yield* forEachForgery((name, forge, tenant) =>
          Effect.gen(function* () {
            const to = yield* startBank({ segments: 2 })
            const account = yield* place.account(to, { tenant, version: "H004" })
            to.bank.offer("C53", statement)
            const forged = forging(to, what, forge)
            const { json } = yield* place.request(account)
            const failed = yield* afterAttempt(place, json.id, tenant)
            expect([failed.problem, failed.orders[0]!.state], name).toEqual([wrongSignature, "failed"])
            expect(forged(), name).toBeGreaterThan(0)
            expect(to.bank.receipts, name).toEqual([])
            expect(
              yield* place.sql`select
                (select count(*)::int from bank_fetcher.raw_file where tenant_id = ${tenant}) as files,
                (select stopped from bank_fetcher.account where id = ${account.id}) as stopped`,
              name
            ).toEqual([{ files: 0, stopped: null }])
            to.bank.alter = (answer) => answer
            const done = yield* place.reached(json.id, tenant, "done")
            expect([done.orders[0]!.new_files, done.orders[0]!.confirmed], name).toEqual([1, true])
            expect(to.bank.receipts, name).toEqual([{ order: "C53", code: "0" }])
          })
        )
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "to the receipt leave the data stored once, and its receipt unconfirmed",
    () =>
      Effect.gen(function* () {
        const place = yield* startFetching()
        yield* forEachForgery((name, forge, tenant) =>
          Effect.gen(function* () {
            const to = yield* startBank({ segments: 2 })
            const account = yield* place.account(to, { tenant, version: "H004" })
            to.bank.offer("C53", statement)
            const forged = forging(to, "Receipt", forge)
            const { json } = yield* place.request(account)
            const done = yield* place.reached(json.id, tenant, "done")
            expect([done.orders[0]!.new_files, done.orders[0]!.confirmed, forged()], name).toEqual([1, false, 1])
          })
        )
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "to the receipt of data that cannot be opened leave the order failed, not done",
    () =>
      Effect.gen(function* () {
        const place = yield* startFetching()
        const to = yield* startBank()
        const account = yield* place.account(to, { tenant: 1, version: "H004" })
        to.bank.offer("C53", statement)
        to.bank.alter = (answer, of) =>
          of === "Receipt"
            ? forgeries["no signature"]!(answer)
            : answer.replace(/(<OrderData>)[^<]{8}/, of === "C53" ? "$1AAAAAAAA" : "$&")
        const { json } = yield* place.request(account)
        const failed = yield* afterAttempt(place, json.id, 1)
        expect(failed.orders[0]).toMatchObject({ state: "failed", new_files: 0 })
        expect(failed.problem).toBe(
          "The data of the bank was not stored: the order data cannot be decrypted with our key."
        )
      }).pipe(Effect.scoped),
    120_000
  )

  it.live.each(["HTD", "Transfer", "Receipt", "HAA"])(
    "to %s change nothing of what the account may fetch",
    (what) =>
      Effect.gen(function* () {
        const place = yield* startFetching()
        yield* forEachForgery((name, forge, tenant) =>
          Effect.gen(function* () {
            const to = yield* startBank({ segments: 2 })
            const account = yield* place.account(to, { tenant, version: "H004" })
            to.bank.offer("C53", statement)
            const forged = forging(to, what, forge)
            const path = `/api/v1/crm/ebics/accounts/${account.id}/permissions`
            const refused = yield* place.call("POST", path, as(tenant))
            expect([refused.status, refused.json.code], name).toEqual([502, "bank_failed"])
            expect(forged(), name).toBeGreaterThan(0)
            expect(
              yield* place.sql`select permitted, stopped from bank_fetcher.account where id = ${account.id}`,
              name
            ).toEqual([{ permitted: null, stopped: null }])
            to.bank.alter = (answer) => answer
            expect((yield* place.call("POST", path, as(tenant))).status, name).toBe(200)
          })
        )
      }).pipe(Effect.scoped),
    120_000
  )
})
