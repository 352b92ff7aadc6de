/** Bans are counted, stored, listed and lifted. Reports have Dovecot's format. */
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as ServiceTokenStore from "#core/auth/ServiceTokenStore.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import { admitPostgres } from "#core/sql/IoGuard.ts"
import * as Door from "#support/Door.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { until } from "#support/Frame.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { answered } from "../../identity/mail-login/Answered.ts"
import { as, callsOf, events, mailServer, startAdmin } from "../Admin.ts"

const provider = as(providerTenant)

const tokenOf = ({ sql }: TestSuite, scope: ServiceTokenStore.Scope) =>
  Effect.map(
    Effect.provideService(ServiceTokenStore.create({ name: "dovecot", scopes: [scope] }), SqlClient.SqlClient, sql),
    ({ token }) => Redacted.value(token)
  )

/** Sends sign-in reports of one mail server. */
const reporter = Effect.fnUntraced(function* (suite: TestSuite, token?: string) {
  const shown = token ?? (yield* tokenOf(suite, "mail-policy"))
  /** Sends once, also when the answer is 503, after which a report is not counted. */
  const once = (command: string, body: unknown, headers: Record<string, string> = { "x-service-token": shown }) =>
    suite.call("POST", `/api/v1/mail/auth-policy?command=${command}`, { of: "mail-admin", headers, body })
  const post = (...given: Parameters<typeof once>) => answered(once(...given))
  const failed = (remote: string) => ({ login: "ann@a.test", remote, success: false, policy_reject: false })
  return {
    once,
    post,
    failed,
    fail: (remote: string, times: number, more: Record<string, unknown> = {}) =>
      Effect.forEach(Array.from({ length: times }), () => post("report", { ...failed(remote), ...more }), {
        concurrency: 10
      })
  }
})

const told = (suite: TestSuite, address: string) =>
  Effect.map(events(suite, "security.ban."), (all) =>
    all.filter((one) => one.address === address).map(({ type }) => type)
  )
const becomes = (suite: TestSuite, address: string, types: ReadonlyArray<string>) =>
  until(
    `${address}: ${types.join()}`,
    Effect.map(told(suite, address), (found) => found.join() === types.join())
  )
const added = "security.ban.added"
const lifted = "security.ban.lifted"

it.live(
  "five wrong passwords ban the address once, across processes and time",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const database = yield* freshDatabase
        const suite = yield* startAdmin({ database })
        const { fail } = yield* reporter(suite)
        yield* fail("192.0.2.4", 4)
        expect((yield* fail("192.0.2.5", 5)).map(({ json, status }) => [status, json])).toEqual(
          Array.from({ length: 5 }, () => [200, { status: 0, msg: "" }])
        )
        yield* becomes(suite, "192.0.2.5", [added])
        const [event] = yield* events(suite, added)
        expect(event).toMatchObject({ address: "192.0.2.5", rule: "mail-brute-force" })
        expect(Date.parse(event!.until) - Date.now()).toBeGreaterThan(24 * 3_600_000 - 60_000)
        expect(Date.parse(event!.until) - Date.now()).toBeLessThanOrEqual(24 * 3_600_000)
        const [entry] =
          yield* suite.sql`select tenant_id, actor, action, address, detail from core.audit where entity_type = 'mail_ban'`
        expect(entry).toEqual({
          tenant_id: 1,
          actor: "system",
          action: "mail_ban.added",
          address: "192.0.2.5",
          detail: { rule: "mail-brute-force", hours: 24 }
        })
        // A second process with its own counts, like one after a restart, knows the ban.
        const second = yield* startAdmin({ database })
        const other = yield* reporter(second)
        yield* other.fail("192.0.2.5", 10)
        yield* other.fail("2001:db8::1", 3)
        yield* other.fail("2001:db8::2", 2)
        yield* becomes(suite, "2001:db8:0:0::/64", [added])
        yield* fail("192.0.2.5", 10)
        yield* fail("192.0.2.4", 1)
        yield* becomes(suite, "192.0.2.4", [added])
        expect(yield* told(suite, "192.0.2.5")).toEqual([added])
      })
    ),
  120_000
)

it.live(
  "only failed credentials with a client address count",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* startAdmin({ env: { ...mailServer, SIGNALBOX_MAIL_BAN_EXEMPT_CIDRS: "198.51.100.0/24" } })
        const { fail, post } = yield* reporter(suite)
        const { account, domain, post: change } = callsOf(suite, as(7))
        const { id } = yield* domain("a.test")
        const { id: closed } = yield* account(id, "closed")
        yield* change(`accounts/${closed}/suspend`)
        yield* fail("192.0.2.1", 5, { success: true })
        yield* fail("192.0.2.2", 5, { policy_reject: true })
        yield* fail("192.0.2.3", 5, { fail_type: "internal" })
        yield* fail("192.0.2.4", 5, { fail_type: "disabled" })
        yield* fail("192.0.2.5", 5, { mech: "XOAUTH2" })
        yield* fail("192.0.2.6", 5, { login: "Closed@a.test" })
        yield* fail("127.0.0.1", 5)
        yield* fail("198.51.100.9", 5)
        yield* fail("", 5)
        for (let time = 0; time < 5; time++) yield* post("allow", { login: "ann@a.test", remote: "192.0.2.7" })
        yield* fail("192.0.2.8", 5, { fail_type: "credentials", mech: "PLAIN" })
        yield* fail("192.0.2.9", 5, { fail_type: "account" })
        yield* becomes(suite, "192.0.2.9", [added])
        expect((yield* events(suite, added)).map(({ address }) => address)).toEqual(["192.0.2.8", "192.0.2.9"])
      })
    ),
  120_000
)

it.live(
  "permitted users list and lift bans, and an address can be banned again after its ban was lifted",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const database = yield* freshDatabase
        const suite = yield* startAdmin({ database })
        const { fail } = yield* reporter(suite)
        for (const last of [1, 2, 3]) yield* fail(`192.0.2.${last}`, 5)
        yield* becomes(suite, "192.0.2.3", [added])
        yield* suite.sql`insert into mail_admin.ban (tenant_id, address, rule, banned_at, until) values (1, '192.0.2.1', 'mail-spam-sender', now(), now() + interval '1 day'),
      (1, '192.0.2.99', 'mail-spam-sender', now() - interval '2 days', now() - interval '1 day')`
        const { get, remove } = callsOf(suite, provider)
        const first = yield* get("bans?limit=3")
        expect(first.json.items.map(({ address, rule }: any) => [address, rule])).toEqual([
          ["192.0.2.1", "mail-spam-sender"],
          ["192.0.2.3", "mail-brute-force"],
          ["192.0.2.2", "mail-brute-force"]
        ])
        const rest = yield* get(`bans?limit=3&before=${first.json.next_before}`)
        expect([rest.json.items.map(({ address }: any) => address), rest.json.next_before]).toEqual([
          ["192.0.2.1"],
          null
        ])
        const ban = rest.json.items[0]
        expect((yield* callsOf(suite, as(7)).get("bans")).json.items).toEqual([])
        expect((yield* callsOf(suite, as(7)).remove(`bans/${ban.id}`)).status).toBe(404)
        expect((yield* callsOf(suite, as(providerTenant, "security.read")).remove(`bans/${ban.id}`)).status).toBe(403)
        expect((yield* callsOf(suite, as(providerTenant, "mail.read")).get("bans")).status).toBe(403)
        expect((yield* remove(`bans/${ban.id}`)).status).toBe(204)
        expect((yield* remove(`bans/${ban.id}`)).status).toBe(404)
        yield* becomes(suite, "192.0.2.1", [added, lifted])
        expect((yield* get("bans")).json.items.map(({ address }: any) => address)).toEqual(["192.0.2.3", "192.0.2.2"])
        const audit =
          yield* suite.sql<any>`select actor, detail from core.audit where action = 'mail_ban.lifted' order by id`
        expect(audit.map(({ actor, detail }) => [actor, detail.rule]).toSorted()).toEqual([
          ["user:10", "mail-brute-force"],
          ["user:10", "mail-spam-sender"]
        ])
        const second = yield* startAdmin({ database })
        yield* (yield* reporter(second)).fail("192.0.2.1", 5)
        yield* becomes(suite, "192.0.2.1", [added, lifted, added])
        // The ban has expired, so the address is banned again.
        yield* suite.sql`update mail_admin.ban set until = now() where address = '192.0.2.2'`
        yield* (yield* reporter(second)).fail("192.0.2.2", 5)
        yield* becomes(suite, "192.0.2.2", [added, added])
      })
    ),
  120_000
)

it.live(
  "failures do not count and sign-ins do not wait while the database is away",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const database = yield* freshDatabase
        const { database: name, host, port, user } = database.target
        const door = yield* Door.make({ path: `${host}/.s.PGSQL.${port}` })
        admitPostgres("127.0.0.1", door.port)
        const suite = yield* startAdmin({
          database,
          env: { ...mailServer, DATABASE_URL: `postgres://${user}@127.0.0.1:${door.port}/${name}?sslmode=disable` }
        })
        const { fail, failed, once } = yield* reporter(suite)
        yield* fail("192.0.2.5", 1, { success: true })
        yield* door.set("mute")
        const outcome = Effect.map(once("report", { remote: "192.0.2.5", success: true }), ({ status }) => status)
        yield* until(
          "it is noticed",
          Effect.map(outcome, (status) => status === 503)
        )
        // The time that an answer takes also depends on what else the machine does, so one quick answer is enough.
        yield* until(
          "a sign-in does not wait",
          Effect.gen(function* () {
            const begun = performance.now()
            expect((yield* once("allow", { login: "ann@a.test", remote: "192.0.2.5" })).json).toEqual({
              status: 0,
              msg: ""
            })
            return performance.now() - begun < 500
          })
        )
        const six = Array.from({ length: 6 }, () => once("report", failed("192.0.2.5")))
        expect((yield* Effect.all(six, { concurrency: 6 })).map(({ status }) => status)).toEqual(six.map(() => 503))
        yield* door.set("open")
        yield* until(
          "it is back",
          Effect.map(outcome, (status) => status === 200)
        )
        yield* fail("192.0.2.6", 5)
        yield* becomes(suite, "192.0.2.6", [added])
        expect(yield* told(suite, "192.0.2.5")).toEqual([])
      })
    ),
  120_000
)

it.live(
  "reports need a valid token, as header or as Basic password",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* startAdmin()
        const { post } = yield* reporter(suite)
        const statusOf = (headers: Record<string, string>) =>
          Effect.map(post("allow", { login: "a" }, headers), ({ status }) => status)
        const basic = (secret: string) => ({
          authorization: `Basic ${Buffer.from(`dovecot:${secret}`).toString("base64")}`
        })
        const [right, wrong, platform] = [
          yield* tokenOf(suite, "mail-policy"),
          yield* tokenOf(suite, "introspection"),
          yield* suite.token
        ]
        expect(yield* statusOf(basic(right))).toBe(200)
        expect(yield* statusOf({ "x-service-token": platform })).toBe(200)
        for (const headers of [
          {},
          basic(wrong),
          basic("sbx_x"),
          { "x-service-token": wrong },
          { authorization: `Bearer ${right}` },
          { ...basic(right), "x-service-token": right },
          as(1).headers
        ]) {
          expect(yield* statusOf(headers)).toBe(401)
        }
        const refused = yield* post("report", { remote: "192.0.2.1", success: false }, {})
        expect([refused.json.code, refused.headers.get("www-authenticate")]).toEqual([
          "unauthenticated",
          'Basic realm="signalbox"'
        ])
        expect((yield* post("report", { remote: "192.0.2.1" })).json).toMatchObject({
          code: "invalid_request",
          errors: [{ field: "payload" }]
        })
        expect((yield* post("other", {})).json).toMatchObject({
          code: "invalid_request",
          errors: [{ field: "query.command" }]
        })
        expect((yield* post("report", "{")).status).toBe(400)
        expect((yield* post("report", { login: "x".repeat(20_000) })).status).toBe(413)
        yield* until(
          "it is written down",
          Effect.map(
            suite.sql`select 1 from core.audit where action = 'refused.mail_policy_caller'`,
            (rows) => rows.length > 0
          )
        )
      })
    ),
  120_000
)

it.live(
  "an exempt address is not counted, and one that another daemon lifted can be banned again",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* startAdmin()
        const { fail } = yield* reporter(suite)
        const emit = (type: string, data: object) =>
          Effect.andThen(
            suite.sql`insert into core.event (type, source, data) values (${type}, 'watchdog', ${suite.sql.json(data)})`,
            suite.sql`select pg_notify('signalbox', 'event')`
          )
        yield* fail("192.0.2.1", 5)
        yield* becomes(suite, "192.0.2.1", [added])
        const end = new Date(Date.now() + 3_600_000)
        yield* emit("security.exemption.added", { address: "192.0.2.1", until: end })
        yield* emit(lifted, { address: "192.0.2.1" })
        yield* until(
          "mail-admin has forgotten the ban and knows the exemption",
          Effect.map(
            suite.sql<{ bans: number; exempt: number }>`select (select count(*)::int from mail_admin.ban) as bans,
              (select count(*)::int from gateway.exemption) as exempt`,
            ([found]) => found!.bans === 0 && found!.exempt === 1
          )
        )
        const token = yield* suite.token
        const knows = (count: number) =>
          until(
            `the counting process knows ${count} exemptions`,
            Effect.map(suite.call("GET", "/health", { of: "mail-admin", token }), ({ json }) =>
              json.actors?.some((actor: any) => actor.name === "ban exemptions" && actor.note.startsWith(`${count} `))
            )
          )
        yield* knows(1)
        yield* fail("192.0.2.1", 20)
        yield* fail("192.0.2.2", 5)
        yield* becomes(suite, "192.0.2.2", [added])
        expect(yield* told(suite, "192.0.2.1")).toEqual([added, lifted])
        yield* emit("security.exemption.ended", { address: "192.0.2.1" })
        yield* knows(0)
        // Its recent ban keeps it uncounted for up to a minute, so another address shows that counting resumed.
        yield* emit("security.exemption.added", { address: "192.0.2.3", until: end })
        yield* knows(1)
        yield* fail("192.0.2.3", 10)
        yield* fail("192.0.2.4", 5)
        yield* becomes(suite, "192.0.2.4", [added])
        expect(yield* told(suite, "192.0.2.3")).toEqual([])
      })
    ),
  120_000
)
