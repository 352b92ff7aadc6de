/** Our own bans: projected from events, listed, made by hand, lifted with an exemption, and counted. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "#support/Frame.ts"
import { addresses, as, banned, callsOf, emit, listBecomes, startWatchdog } from "./Security.ts"
import { oncePerFile } from "#support/OncePerFile.ts"

const running = oncePerFile(startWatchdog())

it.live(
  "bans of all daemons are listed newest first, filtered and paged, and end by their time or event",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* running
        const { get } = callsOf(suite)
        yield* banned(suite, "192.0.2.1")
        yield* banned(suite, "2001:db8:0:0::/64", "mail-brute-force")
        yield* banned(suite, "198.51.100.0/24", "sip-scanner")
        yield* banned(suite, "192.0.2.9", "old", -5)
        yield* emit(suite, "security.ban.added", { address: "nonsense", rule: 7 })
        yield* banned(suite, "192.0.2.2")
        yield* listBecomes(suite, ["192.0.2.2", "198.51.100.0/24", "2001:db8::/64", "192.0.2.1"])
        const { json } = yield* get("decisions?limit=1")
        expect(json.items[0]).toMatchObject({
          source: "own",
          origin: "sip-config",
          rule: "sip-brute-force",
          reason: "test",
          exempted_until: null,
          stale: false
        })
        expect(json.crowdsec).toEqual({ state: "unconfigured", as_of: null, problem: null, truncated: false })
        const second = yield* get(`decisions?limit=2&before=${json.next_before}`)
        expect(second.json.items.map(({ address }: any) => address)).toEqual(["198.51.100.0/24", "2001:db8::/64"])
        // A filter by address finds what overlaps it.
        expect(yield* addresses(suite, "&address=198.51.100.77")).toEqual(["198.51.100.0/24"])
        expect(yield* addresses(suite, "&address=192.0.0.0/16")).toEqual(["192.0.2.2", "192.0.2.1"])
        expect(yield* addresses(suite, "&rule=mail-brute-force")).toEqual(["2001:db8::/64"])
        expect(yield* addresses(suite, "&source=crowdsec")).toEqual([])
        expect((yield* get("decisions?address=cafe")).status).toBe(422)
        // Another daemon lifts, and an earlier event that is read again does not restore the ban.
        yield* emit(suite, "security.ban.lifted", { address: "192.0.2.2" })
        yield* listBecomes(suite, ["198.51.100.0/24", "2001:db8::/64", "192.0.2.1"])
        const alerts = (yield* get("alerts?address=192.0.2.2")).json.items
        expect(alerts.map(({ kind, rule }: any) => [kind, rule])).toEqual([
          ["lift", "sip-brute-force"],
          ["ban", "sip-brute-force"]
        ])
      })
    ),
  120_000
)

it.live(
  "a person bans by hand; the ban is announced and audited, and dangerous addresses are refused",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* startWatchdog({ env: { SIGNALBOX_TRUSTED_PROXIES: "127.0.0.0/8,203.0.113.8/29" } })
        const { get, post } = callsOf(suite)
        const ban = (address: string, more = {}) =>
          post("decisions", { address, duration_s: 3_600, reason: "spam from there", ...more })
        for (const address of [
          "0.0.0.0/0",
          "::/0",
          "10.0.0.0/8",
          "2001:db8::/24",
          "127.0.0.1",
          "127.5.0.0/16",
          "::1",
          "::ffff:127.0.0.1",
          "::ffff:127.0.0.1/128",
          "::ffff:0:0/96",
          "203.0.113.10",
          "203.0.0.0/16",
          "224.0.0.1",
          "255.255.255.255",
          "nonsense",
          "",
          "192.0.2.1/33",
          "192.0.2.1\u0000"
        ]) {
          const { json, status } = yield* ban(address)
          expect([address, status], JSON.stringify(json)).toEqual([address, 422])
          expect(json.errors[0].field).toBe("payload.address")
        }
        for (const more of [
          { duration_s: 59 },
          { duration_s: 1e9 },
          { reason: "" },
          { reason: "a\u0007b" },
          { rule: "x" }
        ])
          expect((yield* ban("192.0.2.1", more)).status).toBe(422)

        const { json, status } = yield* ban("198.51.100.77/24")
        expect([status, json.address, json.rule, json.origin]).toEqual([201, "198.51.100.0/24", "manual", "watchdog"])
        expect(Date.parse(json.until) - Date.parse(json.since)).toBe(3_600_000)
        // The row of the answer is the row of the list, also after the event was read.
        yield* until(
          "the ban is an alert",
          Effect.map(get("alerts?kind=ban"), (answer) => answer.json.items.length === 1)
        )
        expect((yield* get("decisions")).json.items).toMatchObject([{ id: json.id, address: "198.51.100.0/24" }])
        const told = yield* suite.sql<{ data: any }>`select data from core.event where type = 'security.ban.added'`
        expect(told.map(({ data }) => [data.address, data.rule, data.reason])).toEqual([
          ["198.51.100.0/24", "manual", "spam from there"]
        ])
        const audit = yield* suite.sql`select tenant_id, actor, action, entity_id, detail from core.audit
          where entity_type = 'security_ban'`
        expect(audit).toEqual([
          {
            tenant_id: 1,
            actor: "user:10",
            action: "security_ban.added",
            entity_id: String(json.id),
            detail: { address: "198.51.100.0/24", seconds: 3_600, reason: "spam from there" }
          }
        ])
      })
    ),
  120_000
)

it.live(
  "a lift exempts the address for a time, and an exemption can be made and ended",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* startWatchdog()
        const { get, post, remove } = callsOf(suite)
        yield* banned(suite, "192.0.2.1")
        yield* banned(suite, "192.0.2.2")
        yield* listBecomes(suite, ["192.0.2.2", "192.0.2.1"])
        const [second, first] = (yield* get("decisions")).json.items
        const lifted = yield* remove(`decisions/${first.id}?reason=${encodeURIComponent("new phone")}`)
        expect(lifted.json).toMatchObject({
          address: "192.0.2.1",
          lifted: 1,
          exemption: { address: "192.0.2.1", reason: "new phone", created_by: "user:10" }
        })
        const { since, until: end } = lifted.json.exemption
        expect(Date.parse(end) - Date.parse(since)).toBe(3_600_000)
        expect(yield* addresses(suite)).toEqual(["192.0.2.2"])
        expect((yield* remove(`decisions/${first.id}`)).status).toBe(404)
        expect((yield* remove("decisions/999999")).status).toBe(404)
        expect((yield* remove("decisions/x")).status).toBe(404)
        expect((yield* remove(`decisions/${second.id}?exempt_s=5`)).status).toBe(422)
        expect((yield* remove(`decisions/${second.id}?exempt_s=0`)).json.exemption).toBe(null)
        const types = yield* suite.sql<{ type: string; data: any }>`select type, data from core.event
          where source = 'watchdog' order by id`
        expect(types.map(({ data, type }) => `${type} ${data.address}`)).toEqual([
          "security.exemption.added 192.0.2.1",
          "security.ban.lifted 192.0.2.1",
          "security.ban.lifted 192.0.2.2"
        ])

        // A ban that another daemon announces meanwhile is shown as one without effect.
        yield* banned(suite, "192.0.2.0/28", "sip-scanner")
        yield* listBecomes(suite, ["192.0.2.0/28"])
        expect((yield* get("decisions")).json.items[0].exempted_until).toBe(end)
        const refused = yield* post("decisions", { address: "192.0.2.1", duration_s: 60, reason: "again" })
        expect([refused.status, refused.json.errors[0].message]).toEqual([
          422,
          "overlaps an exemption, so the ban would have no effect; end the exemption first"
        ])

        const made = yield* post("exemptions", { address: "2001:db8::/48", duration_s: 600, reason: "office" })
        expect([made.status, made.json.address]).toEqual([201, "2001:db8::/48"])
        expect((yield* post("exemptions", { address: "0.0.0.0/0", duration_s: 600, reason: "all" })).status).toBe(422)
        const listed = (yield* get("exemptions")).json
        expect(listed.items.map(({ address }: any) => address)).toEqual(["2001:db8::/48", "192.0.2.1"])
        expect((yield* remove(`exemptions/${listed.items[1].id}`)).status).toBe(204)
        expect((yield* remove(`exemptions/${listed.items[1].id}`)).status).toBe(404)
        expect((yield* get("decisions")).json.items[0].exempted_until).toBe(null)
        const actions = yield* suite.sql<{ action: string }>`select action from core.audit
          where entity_type like 'security%' order by id`
        expect(actions.map(({ action }) => action)).toEqual([
          "security_ban.lifted",
          "security_ban.lifted",
          "security_exemption.added",
          "security_exemption.ended"
        ])
        yield* until(
          "the alerts tell of the exemptions",
          Effect.map(
            get("alerts?rule=exemption"),
            ({ json }) =>
              json.items.map(({ address, kind }: any) => `${kind} ${address}`).join() ===
              "exemption_end 192.0.2.1,exemption 2001:db8::/48,exemption 192.0.2.1"
          )
        )
      })
    ),
  120_000
)

it.live(
  "the summary counts by rule, source, day and address",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* startWatchdog()
        const { get } = callsOf(suite)
        yield* suite.sql`insert into watchdog.security_alert (source, key, kind, rule, address, at)
          select 'own', 'x' || n, 'ban', 'rule ' || n % 60, ('192.0.2.' || n % 30)::cidr,
            now() - make_interval(days => n % 3) from generate_series(1, 600) n`
        yield* banned(suite, "192.0.2.7")
        yield* listBecomes(suite, ["192.0.2.7"])
        const { json } = yield* get("summary?days=2")
        expect(json.by_day).toHaveLength(2)
        expect(json.by_day.map(({ own }: any) => own)).toEqual([200, 201])
        expect(json.offences).toEqual({ own: 401, crowdsec: 0 })
        expect(json.active).toEqual({ own: 1, crowdsec: 0 })
        expect(json.by_rule.length).toBeLessThanOrEqual(50)
        expect(json.top_addresses).toHaveLength(20)
        expect(json.top_addresses[0]).toMatchObject({ address: "192.0.2.7", banned: true })
        expect((yield* get("summary")).json.by_day).toHaveLength(30)
        for (const days of ["0", "91", "x"]) expect((yield* get(`summary?days=${days}`)).status).toBe(422)
      })
    ),
  120_000
)

it.live(
  "only the provider's users with the permission, and platform tokens, see and change bans",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* running
        const paths = ["decisions", "alerts", "summary", "exemptions"]
        for (const path of paths) {
          expect((yield* callsOf(suite, as(7)).get(path)).status, path).toBe(403)
          expect((yield* callsOf(suite, as(1, "mail.read")).get(path)).status, path).toBe(403)
          expect((yield* callsOf(suite, {}).get(path)).status, path).toBe(401)
          expect((yield* callsOf(suite, as(1, "security.read")).get(path)).status, path).toBe(200)
          expect((yield* callsOf(suite, { "x-service-token": yield* suite.token }).get(path)).status, path).toBe(200)
        }
        const body = { address: "192.0.2.1", duration_s: 600, reason: "test" }
        for (const caller of [as(7), as(1, "security.read")]) {
          const { post, remove } = callsOf(suite, caller)
          expect((yield* post("decisions", body)).status).toBe(403)
          expect((yield* post("exemptions", body)).status).toBe(403)
          expect((yield* remove("decisions/1")).status).toBe(403)
          expect((yield* remove("exemptions/1")).status).toBe(403)
        }
        expect((yield* callsOf(suite, as(1, "security.manage")).post("decisions", body)).status).toBe(201)
      })
    ),
  120_000
)
