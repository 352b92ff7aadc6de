/** Attempts of tenant B to use what tenant A pays for, or to get requests of A refused. Returns findings. */
import { Effect } from "effect"
import { untilWithin } from "#support/Within.ts"
import { type OwnData } from "./OwnData.ts"
import { passwords, type SiteShape } from "./Site.ts"

const call = (target: string, more = {}) => ({ body: { target, text: "hello", ...more } })

/** Calls over A's trunk, as a gateway of an alarm and as the route of a telephone. */
export const trunks = Effect.fnUntraced(function* ({ b, suite }: SiteShape, ofA: OwnData, ofB: OwnData) {
  const found: Array<string> = []
  for (const role of ["customer", "admin"] as const)
    for (const gateway of [`trunk_${ofA.trunk.id}`, String(ofA.trunk.id), ofA.trunk.name]) {
      const { status, text } = yield* b.call(role, "POST", "/api/v1/comm/call", call("+493029999999", { gateway }))
      if (status !== 422) found.push(`a call by ${gateway} as ${role} is answered ${status} ${text}`)
    }
  const targets = yield* suite.sql`select 1 from comm_dispatcher.target
    where tenant_id = ${b.tenant} and options::text like ${`%${ofA.trunk.id}%`}`
  if (targets.length > 0) found.push("a target of B names A's trunk")
  const route = yield* b.call("admin", "POST", "/api/v1/sip/route-test", {
    body: { from: `101@${ofB.voice}`, to: "+493012345678" }
  })
  if (route.status !== 200 || route.text.includes(String(ofA.trunk.id)) || route.text.includes(ofA.trunk.name))
    found.push(`B's telephone is routed: ${route.status} ${route.text}`)
  return found
})

/** B uses all calls of an hour. A still has its own. */
export const callQuota = Effect.fnUntraced(function* ({ a, b }: SiteShape) {
  let last = 202
  for (let nth = 0; nth < 100 && last === 202; nth++)
    ({ status: last } = yield* b.call("admin", "POST", "/api/v1/comm/call", call(`+4930290${10_000 + nth}`)))
  const own = yield* a.call("customer", "POST", "/api/v1/comm/call", call("+493010999999"))
  return [
    ...(last === 202 || last >= 500 ? [`B's calls are not limited: ${last}`] : []),
    ...(own.status === 202 ? [] : [`A's call is refused: ${own.status} ${own.text}`])
  ]
})

/** B guesses passwords of A's users, with A's address in a forged header too. A can still sign in. */
export const signIns = Effect.fnUntraced(function* ({ a, b, suite }: SiteShape) {
  const { email } = a.people.customer
  const statuses = new Set<number>()
  for (const from of [b.address, `${a.address}, ${b.address}`])
    for (let nth = 0; nth < 12; nth++) {
      const { status } = yield* b.call(undefined, "POST", "/api/v1/auth/login", {
        body: { email, password: `guess ${nth}` },
        headers: { "x-forwarded-for": from }
      })
      statuses.add(status)
    }
  const own = yield* a.call(undefined, "POST", "/api/v1/auth/login", { body: { email, password: passwords.A } })
  const session = yield* a.call("customer", "GET", "/api/v1/auth/me")
  // A itself has opened links that do not exist, to find what it can read.
  const [counted] = yield* suite.sql<{ refusals: number }>`select count(*)::int as refusals from core.audit
    where address = ${a.address} and action like 'refused.%' and action <> 'refused.client_token'`
  return [
    ...([...statuses].toSorted().join() === "401,429" ? [] : [`guesses are answered ${[...statuses].join()}`]),
    ...(own.status === 200 ? [] : [`A's sign-in is refused: ${own.status} ${own.text}`]),
    ...(session.status === 200 ? [] : [`A's session has ended: ${session.status} ${session.text}`]),
    ...(counted!.refusals === 0 ? [] : ["guesses are counted at A's address"])
  ]
})

/** B guesses the password of A's mailbox at the mail server until it is banned. A's address is not. */
export const bans = Effect.fnUntraced(function* ({ a, b, platform, suite }: SiteShape, ofA: OwnData) {
  const address = "203.0.113.99"
  const banned = Effect.map(
    suite.sql<{ address: string }>`select distinct data->>'address' as address from core.event
      where type = 'security.ban.added'`,
    (rows) => rows.map((row) => row.address)
  )
  for (let nth = 0; nth < 40 && !(yield* banned).includes(address); nth++)
    yield* suite.call("POST", "/api/v1/mail/auth-policy?command=report", {
      headers: platform,
      body: {
        login: ofA.mailbox.address,
        remote: address,
        mech: "PLAIN",
        success: false,
        policy_reject: false,
        fail_type: "credentials"
      }
    })
  const me = (from: string) =>
    Effect.map(
      b.call(undefined, "GET", "/api/v1/auth/providers", { headers: { "x-forwarded-for": from } }),
      ({ status }) => status
    )
  yield* untilWithin(
    30,
    "the attacker is banned",
    Effect.map(me(address), (status) => status === 403)
  )
  const [others, own] = [(yield* banned).filter((one) => one !== address), yield* me(a.address)]
  return [
    ...(others.includes(a.address) ? [`bans: ${others.join()}`] : []),
    ...(own === 200 ? [] : [`A's address is answered ${own}`])
  ]
})
