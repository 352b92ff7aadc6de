/** Tenant B at full rate, and the alarms of tenant A beside it. */
import { Effect } from "effect"
import { untilWithin } from "#support/Within.ts"
import type { OwnData } from "./OwnData.ts"
import type { Party, SiteShape } from "./Site.ts"

/** Requests of the flood that are under way at a time. */
const width = 12

/** Chat of A's alarms. */
export const chatOfA = 8_000_000

/** Targets of B that no attempt has begun. */
export const waitingOf = ({ b, suite }: SiteShape) =>
  Effect.map(
    suite.sql<{ waiting: number }>`select count(*)::int as waiting from comm_dispatcher.target
      where tenant_id = ${b.tenant} and state = 'pending' and record->>'begun' = '0'`,
    ([row]) => row!.waiting
  )

/** An alarm with 20 messages. */
const alarm = (party: Party, nth: number) =>
  party.call("admin", "POST", "/api/v1/comm/notify", {
    body: {
      text: `hostile ${nth}`,
      severity: "INFO",
      channels: Array.from({ length: 20 }, (_, chat) => ({ channel: "messenger", target: String(1 + nth * 20 + chat) }))
    }
  })

/** Requests that cost the most, of each daemon. */
const costly = (
  { b }: SiteShape,
  { customer }: OwnData
): ReadonlyArray<(nth: number) => Effect.Effect<{ readonly status: number }>> => {
  const get = (path: string) => () => b.call("admin", "GET", path)
  const lists = [
    "users?limit=200&q=h",
    "audit?limit=200",
    "events?limit=200",
    "events/histogram?pattern=*",
    "workflows/runs?limit=200",
    "crm/customers?limit=200&q=hostile",
    "sip/extensions?limit=200",
    "sip/calls?limit=200&number=%2B49",
    "mail/domains?limit=200",
    "domains?limit=200"
  ].map((path) => get(`/api/v1/${path}`))
  const rows = Array.from({ length: 500 }, (_, row) => `flood${row},Name ${row}`).join("\n")
  return [
    ...lists,
    (nth) =>
      b.call(undefined, "POST", "/api/v1/auth/login", {
        body: { email: `nobody${nth}@far.test`, password: "wrong" },
        // An attacker has many addresses.
        headers: { "x-forwarded-for": `203.0.113.${100 + (nth % 100)}` }
      }),
    (nth) =>
      b.call("admin", "POST", "/api/v1/crm/customers/imports", {
        body: `number,name\n${rows}${nth}\n`,
        headers: { "content-type": "text/csv" }
      }),
    () => b.call("admin", "POST", "/api/v1/sip/route-test", { body: { from: "101", to: "+49301234567" } }),
    (nth) =>
      b.call("admin", "POST", "/api/v1/domains", { body: { name: `flood${nth}.test`, customer_id: customer.id } }),
    (nth) => alarm(b, 1_000 + nth)
  ]
}

/** Sends requests of B until the scope ends, after some alarms are waiting. Returns the answers by status. */
export const flood = Effect.fnUntraced(function* (site: SiteShape, ofB: OwnData) {
  const answers = new Map<number, number>()
  const requests = costly(site, ofB)
  let nth = 0
  for (; nth < 6; nth++) yield* alarm(site.b, nth)
  yield* Effect.forEach(
    Array.from({ length: width }),
    () =>
      Effect.forkScoped(
        Effect.forever(
          Effect.suspend(() => requests[++nth % requests.length]!(nth)).pipe(
            Effect.tap(({ status }) => Effect.sync(() => answers.set(status, (answers.get(status) ?? 0) + 1))),
            Effect.catchCause(() => Effect.void)
          )
        )
      ),
    { discard: true }
  )
  return answers
})

/** An alarm of A. Returns its delay: from acceptance to the first attempt. Unit: milliseconds. */
export const alarmDelay = Effect.fnUntraced(function* ({ a }: SiteShape, nth: number) {
  const sent = yield* a.call("customer", "POST", "/api/v1/comm/notify", {
    body: { text: a.secret(), channels: [{ channel: "messenger", target: String(chatOfA + nth) }] }
  })
  if (sent.status !== 202) return yield* Effect.die(new Error(`A's alarm: ${sent.status} ${sent.text}`))
  const read = a.call("customer", "GET", `/api/v1/workflows/runs/${sent.json.run_id}`)
  yield* untilWithin(
    60,
    "A's alarm is delivered",
    Effect.map(read, ({ json }) => json?.state === "delivered")
  )
  const { json } = yield* read
  return Date.parse(json.targets[0].attempts[0].started_at) - Date.parse(json.created_at)
})

/** Simple requests of A, which must be answered while B floods. Returns the statuses. */
export const simpleReads = ({ a }: SiteShape) =>
  Effect.forEach(
    ["auth/me", "crm/customers", "sip/extensions", "notifications", "domains", "mail/domains", "workflows/runs"],
    (path) => Effect.map(a.call("customer", "GET", `/api/v1/${path}`), ({ status }) => `${path} ${status}`)
  )
