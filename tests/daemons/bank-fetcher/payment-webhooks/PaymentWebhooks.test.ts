import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { createHash, createHmac } from "node:crypto"
import { vi } from "vitest"
import { acceptance } from "#daemons/bank-fetcher/payment-webhooks/Acceptance.ts"
import { eventOf } from "#daemons/bank-fetcher/payment-webhooks/PaymentEvent.ts"
import { componentOf } from "#daemons/bank-fetcher/payment-webhooks/Receiver.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { callsOf, startLedger } from "../invoices/Ledger.ts"

const secret = "s3cret of the card provider"
const signed = (body: string) => createHmac("sha256", secret).update(body).digest("hex")

/** Sends an event with a right signature, or with these headers. */
const sending =
  (suite: TestSuite, provider = "card") =>
  (event: object | string, headers?: Record<string, string>) => {
    const body = typeof event === "string" ? event : JSON.stringify(event, null, 1)
    return suite.call("POST", `/api/v1/payments/webhooks/${provider}`, {
      of: "bank-fetcher",
      body,
      headers: headers ?? { "x-webhook-signature": signed(body) }
    })
  }

const env = { PAYMENTS_CARD_WEBHOOK_SECRET: secret }

const paid = (id: string, more: object = {}) => ({
  id,
  type: "payment.succeeded",
  data: { amount: "100.00", currency: "EUR", paid_at: "2030-01-10T23:30:00+01:00", ...more }
})

it.live("a payment is recorded once, however often its event comes, and a refund undoes it", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startLedger({ env })
      const { get, invoice, state } = callsOf(suite, 1)
      const send = sending(suite)
      const { id } = yield* invoice("RE-1", "150.00")
      const event = paid("evt_1", { invoice_number: "RE-1", payment_id: "pay_1" })
      const answers = yield* Effect.all([send(event), send(event), send(event)], { concurrency: 3 })
      expect(answers.map(({ json, status }) => `${status} ${json.outcome}`).toSorted()).toEqual([
        "200 applied",
        "200 duplicate",
        "200 duplicate"
      ])
      expect(yield* state(id)).toEqual(["partial", "100.00", "50.00"])
      const [payment] = (yield* get("/payments")).items
      expect(payment).toMatchObject({
        source: "card",
        paid_on: "2030-01-10",
        unassigned: "0.00",
        external_id: "card:pay_1"
      })
      const told = () => suite.sql<{ data: any }>`select data from core.event where type = 'payment.received'`
      expect((yield* told()).map(({ data }) => [data.source, data.amount, data.invoices[0].number])).toEqual([
        ["card", "100.00", "RE-1"]
      ])
      // The invoice may be named by its id, in any case.
      const other = yield* invoice("RE-2", "100.00")
      expect((yield* send(paid("evt_id", { invoice_id: other.id.toUpperCase() }))).json.outcome).toBe("applied")
      expect(yield* state(other.id)).toEqual(["paid", "100.00", "0.00"])
      // The same payment under another event id.
      expect((yield* send({ ...event, id: "evt_1b" })).json.outcome).toBe("failed")

      const refund = (id: string, data: object) =>
        send({ id, type: "payment.refunded", data: { payment_id: "pay_1", ...data } })
      expect((yield* refund("evt_2", { amount: "30.00", currency: "EUR" })).json.outcome).toBe("applied")
      expect(yield* state(id)).toEqual(["partial", "70.00", "80.00"])
      expect((yield* refund("evt_3", { amount: "70.01", currency: "EUR" })).json.outcome).toBe("failed")
      expect((yield* refund("evt_4", {})).json.outcome).toBe("applied")
      expect(yield* state(id)).toEqual(["open", "0.00", "150.00"])
      expect((yield* refund("evt_5", {})).json.outcome).toBe("failed")

      yield* send(paid("evt_6", { invoice_number: "RE-1", amount: "160.00" }))
      expect(yield* state(id)).toEqual(["paid", "150.00", "0.00"])
      const whole = { id: "evt_7", type: "payment.refunded", data: { payment_id: "evt_6" } }
      expect([(yield* send(whole)).json.outcome, (yield* send(whole)).json.outcome]).toEqual(["applied", "duplicate"])
      expect(yield* state(id)).toEqual(["open", "0.00", "150.00"])
      expect((yield* get("/payments?state=undone")).items).toHaveLength(1)
      expect(yield* told()).toHaveLength(3)
    })
  )
)

it.live("money that fits no invoice is kept, and every event is stored for people", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startLedger({ env })
      const { get } = callsOf(suite, 1)
      const send = sending(suite)
      const odd = '{"id":"\\u0000evil","type":"dispute.opened","data":{}}'
      for (const [event, outcome] of [
        [paid("e1", { invoice_number: "RE-404" }), "applied"],
        [paid("e2", { customer_id: 99 }), "applied"],
        [{ id: "e3", type: "dispute.opened", data: { amount: 1 } }, "unknown"],
        [odd, "unknown"],
        [{ id: "e5" }, "unknown"],
        [paid("e6", { amount: "-5.00" }), "failed"],
        [paid("e7", { amount: 5 }), "failed"],
        [paid("e8", { currency: "JPY", amount: "100.50" }), "failed"],
        [{ id: "e9", type: "payment.refunded", data: { payment_id: "none" } }, "failed"],
        ["not json", "failed"],
        ["[]", "failed"]
      ] as const) {
        const { json, status } = yield* send(event)
        expect([event, status, json.outcome]).toEqual([event, 200, outcome])
      }
      expect((yield* send("not json")).json).toEqual({
        event_id: createHash("sha256").update("not json").digest("hex"),
        outcome: "duplicate"
      })
      const list = (tenant: number, query = "") =>
        Effect.map(
          suite.call("GET", `/api/v1/payments/webhook-events${query}`, {
            headers: { authorization: `Bearer user:${tenant}:ebics.view` }
          }),
          ({ json }) => json.items
        )
      const events = yield* list(1)
      expect(events).toHaveLength(11)
      expect(events.find(({ event_id }: any) => event_id === "e1")).toMatchObject({
        provider: "card",
        type: "payment.succeeded",
        signed: true,
        state: "applied",
        problem: "The invoice does not exist."
      })
      expect(yield* list(1, "?state=failed&provider=wallet")).toEqual([])
      const ids = (query: string) => Effect.map(list(1, query), (found) => found.map((event: any) => event.event_id))
      expect(yield* ids("?event_id=EVIL")).toEqual(["\ufffdevil"])
      expect(yield* ids("?signed=false")).toEqual([])
      const { payment_id } = events.find(({ event_id }: any) => event_id === "e2")
      expect(yield* ids(`?signed=true&payment_id=${payment_id}`)).toEqual(["e2"])
      expect(yield* list(2)).toEqual([])
      const shown = (tenant: number) =>
        suite.call("GET", `/api/v1/payments/webhook-events/${events[0].id}`, {
          headers: { authorization: `Bearer user:${tenant}:ebics.view` }
        })
      expect([(yield* shown(1)).json.body, (yield* shown(2)).status]).toEqual(["[]", 404])
      expect((yield* get("/payments?unassigned=true")).items).toHaveLength(2)
    })
  )
)

it.live("a wrong signature is refused, whatever is wrong with it", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startLedger({ env })
      const send = sending(suite)
      const body = JSON.stringify(paid("e1"))
      for (const headers of [
        {},
        { "x-webhook-signature": "" },
        { "x-webhook-signature": signed(`${body} `) },
        { "x-webhook-signature": signed(body).slice(1) },
        { "x-webhook-signature": `sha256=${signed(body)}` },
        { "x-webhook-signature": "0".repeat(64) }
      ] as ReadonlyArray<Record<string, string>>) {
        const { json, status } = yield* send(body, headers)
        expect([headers, status, json.code]).toEqual([headers, 403, "wrong_signature"])
      }
      expect((yield* send(body, { "x-webhook-signature": signed(body).toUpperCase() })).status).toBe(200)
      expect((yield* suite.sql`select 1 from bank_fetcher.webhook_event`).length).toBe(1)
      const refused = yield* suite.sql<{ row: string }>`select concat_ws(' ', action, entity_id) as row from core.audit
        where action like 'refused.%'`
      expect(refused).toEqual([{ row: "refused.webhook_signature card" }])
      // The signature counts for the bytes as sent, also when they are no valid text.
      const long = `${body}${" ".repeat(256 * 1024)}`
      expect((yield* send(long)).status).toBe(422)
      expect((yield* send(`${body}${" ".repeat(1024 * 1024)}`)).status).toBe(413)
      expect((yield* sending(suite, "cash")(body)).status).toBe(404)
    })
  )
)

it.live("an address that sends wrong signatures is throttled, and not banned", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startLedger({ env })
      const send = sending(suite)
      // No time passes, so no further event is allowed.
      yield* Effect.acquireRelease(
        Effect.sync(() => vi.useFakeTimers({ toFake: ["Date"] })),
        () => Effect.sync(() => vi.useRealTimers())
      )
      const wrong = send("{}", { "x-webhook-signature": "0".repeat(64) })
      const answers = yield* Effect.all(
        Array.from({ length: 203 }, () => wrong),
        { concurrency: 20 }
      )
      const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
      expect([count(403), count(429)]).toEqual([200, 3])
      vi.setSystemTime(Date.now() + 1_000)
      expect((yield* send(paid("e1"))).status).toBe(200)
      const banned = yield* suite.sql`select 1 from core.event where type = 'security.ban.added'`
      expect(banned).toEqual([])
    })
  )
)

it.live("without a secret, only this machine itself may send events, and health says so", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startLedger()
      const send = sending(suite, "wallet")
      const health = Effect.map(suite.call("GET", "/health"), ({ json }) => json.components.wallet_webhooks.status)
      expect(yield* health).toBe("unconfigured")
      const proxied = yield* send(paid("e1"), { via: "1.1 proxy" })
      expect([proxied.status, proxied.json.code, proxied.json.settings]).toEqual([
        403,
        "no_webhook_secret",
        ["PAYMENTS_WALLET_WEBHOOK_SECRET"]
      ])
      expect((yield* send(paid("e1"), { "x-forwarded-for": "203.0.113.9" })).status).toBe(403)
      expect((yield* send(paid("e1"), {})).json.outcome).toBe("applied")
      expect(yield* health).toBe("degraded")
    })
  )
)

it.live("on a public address unsigned events need an explicit switch", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const closed = yield* startLedger({ env: { SIGNALBOX_BIND: "0.0.0.0" } })
      expect((yield* sending(closed)(paid("e1"), {})).json.code).toBe("no_webhook_secret")
      const open = yield* startLedger({ env: { SIGNALBOX_BIND: "0.0.0.0", PAYMENTS_ACCEPT_UNSIGNED_WEBHOOKS: "true" } })
      expect((yield* sending(open)(paid("e1"), { via: "1.1 proxy" })).status).toBe(200)
    })
  )
)

it("the decision about a signature, and what health says, are pure", () => {
  const body = Buffer.from([0xff, 0x00, 0x7b])
  const key = Redacted.make("k")
  const right = createHmac("sha256", "k").update(body).digest("hex")
  const decide = (more: object) =>
    acceptance({ secret: key, body, signature: right, isLocal: true, acceptsUnsigned: true, ...more })
  expect([
    decide({}),
    decide({ signature: undefined }),
    decide({ body: Buffer.from([0xfe, 0x00, 0x7b]) }),
    decide({ secret: undefined, signature: undefined }),
    decide({ secret: undefined, isLocal: false }),
    decide({ secret: undefined, isLocal: false, acceptsUnsigned: false }),
    decide({ secret: undefined, acceptsUnsigned: false })
  ]).toEqual(["signed", "wrong", "wrong", "unsigned", "unsigned", "unconfigured", "unsigned"])
  expect([componentOf("card", true, true, 0).status, componentOf("card", false, true, 0).status]).toEqual([
    "ok",
    "degraded"
  ])
  const half = eventOf(Buffer.from('{"id":"\\ud800","type":"a\\u0000b"}'))
  expect([half.eventId, half.type]).toEqual(["\ufffd", "a\ufffdb"])
  expect(eventOf(Buffer.from(JSON.stringify({ id: "x", type: "t".repeat(101) }))).type).toHaveLength(100)
})
