/** All daemons behind the gateway, and the people of two customers: tenant A, which is attacked, and tenant B. */
import { Context, Effect, Layer } from "effect"
import type { Role } from "#core/auth/Roles.ts"
import { daemons } from "#daemons/Suite.ts"
import { BotApiDouble } from "#support/BotApiDouble.ts"
import { type Answer, type CallOptions, startSuite, type TestSuite } from "#support/TestSuite.ts"
import { untilWithin } from "#support/Within.ts"
import { smallDns } from "../../daemons/dns-verifier/SmallDns.ts"

/** Password of all users of a party. */
export const passwords = { A: "A-walk-in-the-park-7", B: "B-walk-in-the-park-7" }

/** First number of all ids, so that an id in an answer tells whose row it is. */
const firstId = 7_000_000
/** Distance between the ids of two tables. */
const idSpan = 10_000

/** Secret words of A look like this. Every text that A stores contains a new one. */
export const secretWord = /vq7x[0-9a-f]{8}/g

/** A user with a session. */
export interface Member {
  readonly id: number
  readonly email: string
  readonly headers: { readonly authorization: string }
}

/** A customer's tenant and its people. */
export interface Party {
  readonly name: "A" | "B"
  readonly tenant: number
  /** Client address of this party's requests. */
  readonly address: string
  /** A new secret word. */
  readonly secret: () => string
  readonly people: Readonly<Record<"admin" | "customer", Member>>
  /** An account without a role in the attack, as a target of changes. */
  readonly spare: { readonly id: number; readonly email: string }
  /** Sends a request as this user. Undefined: without credentials. */
  readonly call: (
    role: "admin" | "customer" | undefined,
    method: string,
    path: string,
    options?: CallOptions
  ) => Effect.Effect<Answer>
  /** Signs in again when the session of this user has ended. True: it had ended. */
  readonly signedIn: (role: "admin" | "customer") => Effect.Effect<boolean, unknown>
}

export interface SiteShape {
  readonly suite: TestSuite
  readonly bot: BotApiDouble
  readonly platform: Readonly<Record<string, string>>
  readonly a: Party
  readonly b: Party
}

export class Site extends Context.Service<Site, SiteShape>()("test/hostile/Site") {
  static readonly layer = Layer.effect(
    Site,
    Effect.suspend(() => startSite())
  )
}

const startSite = Effect.fnUntraced(function* () {
  const dns = yield* smallDns
  const bot = new BotApiDouble()
  const botUrl = yield* Effect.acquireRelease(
    Effect.promise(() => bot.start()),
    () => Effect.promise(() => bot.stop())
  )
  const suite = yield* startSuite({
    daemons,
    gateway: true,
    env: {
      // An attack sends more requests than a customer does. The tests of these limits are in tests/core and identity.
      SIGNALBOX_GATEWAY_RATE: "100000",
      SIGNALBOX_GATEWAY_BURST: "100000",
      // Few, because the attack uses up the calls of its tenant; enough for the requests that are generated before.
      SIGNALBOX_CALLS_PER_HOUR: "30",
      SIGNALBOX_MAIL_HOST: "mx.provider.test",
      SIGNALBOX_PLATFORM_IPV4: "192.0.2.10",
      SIGNALBOX_MESSENGER_URL: botUrl,
      SIGNALBOX_MESSENGER_TOKEN: bot.token,
      SIGNALBOX_MESSENGER_RATE: "2",
      SIGNALBOX_SIP_GATEWAY: "trunk",
      SIGNALBOX_ALARM_SMTP_PORT: "0",
      SIGNALBOX_MAIL_LOOKUP_PORT: "0",
      ...dns.env
    }
  })
  yield* steady(suite)
  const platform = { "x-service-token": yield* suite.token }
  yield* untilWithin(
    30,
    "identity answers",
    Effect.map(suite.call("GET", "/api/v1/tenants", { headers: platform }), ({ status }) => status === 200)
  )
  return {
    suite,
    bot,
    platform,
    a: yield* party(suite, platform, "A", "198.51.100.7"),
    b: yield* party(suite, platform, "B", "203.0.113.66")
  } satisfies SiteShape as SiteShape
})

/** Recognisable ids, and no background work that changes rows by itself. */
const steady = Effect.fnUntraced(function* ({ sql }: TestSuite) {
  const sequences = yield* sql<{ name: string }>`
    select pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname) as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and c.relrowsecurity and a.attnum > 0 and not a.attisdropped
       and pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname) is not null order by 1`
  for (const [index, { name }] of sequences.entries())
    yield* sql`select setval(${name}::regclass, ${firstId + index * idSpan})`
  yield* sql`alter table mail_watcher.account alter column watch set default 'lazy'`
  // Checks of domains are due in half a day.
  const phase = (Date.now() / 86_400_000 + 0.5) % 1
  for (const table of ["domain", "mail_domain"])
    yield* sql.unsafe(
      `alter table dns_verifier.${table} alter column check_every set default 1440, alter column phase set default ${phase}`
    )
})

const party = Effect.fnUntraced(function* (
  suite: TestSuite,
  platform: Readonly<Record<string, string>>,
  name: "A" | "B",
  address: string
) {
  const start = name === "A" ? "vq7x" : "hostile"
  let count = 0
  const secret = () => `${start}${(0x10_00_00_00 + ++count).toString(16)}`
  const from = { "x-forwarded-for": address }
  const made = Effect.fnUntraced(function* (path: string, body: unknown) {
    const { json, status, text } = yield* suite.call("POST", path, { headers: platform, body })
    return status === 201 ? json : yield* Effect.die(new Error(`POST ${path}: ${status} ${text}`))
  })
  const { id: tenant } = yield* made("/api/v1/tenants", { name: secret() })
  const account = (role: Role) =>
    made("/api/v1/users", {
      email: `${secret()}@people.test`,
      name: secret(),
      role,
      password: passwords[name],
      tenant_id: tenant
    })
  const signIn = Effect.fnUntraced(function* ({ email, id }: { readonly email: string; readonly id: number }) {
    const answer = yield* suite.call("POST", "/api/v1/auth/login", {
      headers: from,
      body: { email, password: passwords[name] }
    })
    if (answer.status !== 200) return yield* Effect.die(new Error(`sign-in of ${email}: ${answer.text}`))
    return { id, email, headers: { authorization: `Bearer ${answer.json.access_token}` } }
  })
  const members = {
    admin: yield* Effect.flatMap(account("admin"), signIn),
    customer: yield* Effect.flatMap(account("customer"), signIn)
  }
  const call: Party["call"] = (role, method, path, options = {}) =>
    suite.call(method, path, {
      ...options,
      headers: { ...from, ...(role === undefined ? {} : members[role].headers), ...options.headers }
    })
  const signedIn: Party["signedIn"] = Effect.fnUntraced(function* (role) {
    const { status } = yield* call(role, "GET", "/api/v1/auth/me")
    if (status === 401) members[role] = yield* signIn(members[role])
    return status === 401
  })
  return {
    name,
    tenant,
    address,
    secret,
    people: members,
    spare: yield* account("user"),
    call,
    signedIn
  } satisfies Party as Party
})
