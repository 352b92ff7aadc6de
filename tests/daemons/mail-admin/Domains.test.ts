import { expect, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { createPublicKey } from "node:crypto"
import { join } from "node:path"
import * as Secrets from "#core/config/Secrets.ts"
import { sealedDkimKeys } from "#daemons/mail-admin/domains/DkimKeys.ts"
import { nextSelector } from "#daemons/mail-admin/domains/DkimKeys.ts"
import { mailAdmin } from "#daemons/mail-admin/Daemon.ts"
import { until } from "#support/Frame.ts"
import { migratedDatabase } from "#support/Postgres.ts"
import { as, callsOf, events, mailServer, startAdmin } from "./Admin.ts"

it("a selector is never reused", () => {
  expect([[], ["mail"], ["mail", "mail2"], ["mail3"], ["mail9", "mail10"]].map(nextSelector)).toEqual([
    "mail",
    "mail2",
    "mail3",
    "mail4",
    "mail11"
  ])
})

it.live("a domain is created with its key and records, announced, listed and deleted", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startAdmin()
      const { sql } = suite
      const { account, domain, get, remove } = callsOf(suite, as(7))
      const made = { json: yield* domain("Bücher.test", { customer_id: 12 }) }
      expect(made.json).toMatchObject({
        domain: "xn--bcher-kva.test",
        customer_id: 12,
        tenant_id: 7,
        dkim_selector: "mail",
        dkim_keys: [{ selector: "mail", state: "active" }]
      })
      expect(
        made.json.records.map((record: any) => [
          record.type,
          record.name,
          record.priority,
          record.status,
          record.checked_at
        ])
      ).toEqual([
        ["MX", "@", 10, "unknown", null],
        ["TXT", "@", null, "unknown", null],
        ["TXT", "_dmarc", null, "unknown", null],
        ["TXT", "mail._domainkey", null, "unknown", null],
        ["CNAME", "autoconfig", null, "unknown", null]
      ])
      expect((yield* get(`domains/${made.json.id}`)).json).toEqual(made.json)
      // The record contains the public half of the sealed key. The envelope opens only in its own row.
      const [key] = yield* sql<{
        id: number
        private_key: string
      }>`select id, private_key from mail_admin.dkim_key where domain_id = ${made.json.id}`
      expect(JSON.stringify(made.json)).not.toContain("PRIVATE")
      const secrets = Context.get(
        yield* Layer.build(Secrets.layer(join(suite.env["SIGNALBOX_DATA_DIR"]!, "keys"))),
        Secrets.Secrets
      )
      const pem = Redacted.value(
        yield* secrets.open(key!.private_key, Secrets.contextOf(sealedDkimKeys, String(key!.id)))
      )
      expect(made.json.records[3].content).toBe(
        `v=DKIM1; k=rsa; p=${createPublicKey(pem).export({ type: "spki", format: "der" }).toString("base64")}`
      )

      for (const tenant of [7, 8]) {
        const again = yield* callsOf(suite, as(tenant)).post("domains", {
          domain: "xn--bcher-kva.test",
          customer_id: 1
        })
        expect([again.status, again.json.code]).toEqual([409, "domain_taken"])
      }
      const second = yield* domain("second.test")
      const first = yield* get("domains?limit=1")
      expect([first.json.items.map((item: any) => item.id), first.json.next_before]).toEqual([[second.id], second.id])
      const rest = yield* get(`domains?limit=1&before=${first.json.next_before}`)
      expect([rest.json.items.map((item: any) => item.id), rest.json.next_before]).toEqual([[made.json.id], null])

      yield* account(second.id, "ann")
      const refused = yield* remove(`domains/${second.id}`)
      expect([refused.status, refused.json.code, refused.json.mailboxes]).toEqual([409, "domain_not_empty", 1])
      expect((yield* remove(`domains/${second.id}?force=false`)).status).toBe(409)
      expect((yield* remove(`domains/${second.id}?force=true`)).status).toBe(204)
      expect((yield* get(`domains/${second.id}`)).status).toBe(404)
      const back = yield* domain("second.test")
      const told = yield* events(suite, "mail.domain.")
      expect(told.map(({ domain, state, type }) => [type, domain, state])).toEqual([
        ["mail.domain.created", "xn--bcher-kva.test", "active"],
        ["mail.domain.created", "second.test", "active"],
        ["mail.domain.deleted", "second.test", "deleted"],
        ["mail.domain.created", "second.test", "active"]
      ])
      expect(told.map(({ records }) => records.length)).toEqual([5, 5, 0, 5])
      expect(told[0].records[0]).toEqual({ type: "MX", name: "@", content: "mx.provider.test", priority: 10 })
      const versions = told.filter((event) => event.domain === "second.test").map(({ version }) => version)
      expect(versions).toEqual(versions.toSorted((a, b) => a - b))
      expect(new Set(versions).size).toBe(3)
      expect((yield* events(suite, "mail.account.")).map(({ state }) => state)).toEqual(["active", "deleted"])
      const audit = yield* sql<{
        row: string
      }>`select concat_ws(' ', tenant_id, actor, action, entity_id) as row from core.audit order by id`
      expect(audit.map(({ row }) => row)).toEqual([
        `7 user:70 mail_domain.created ${made.json.id}`,
        `7 service:1 mail_domain.proven ${made.json.id}`,
        `7 user:70 mail_domain.created ${second.id}`,
        `7 service:1 mail_domain.proven ${second.id}`,
        expect.stringMatching(/^7 user:70 mail_account.created \d+$/),
        expect.stringMatching(/^7 user:70 mail_account.deleted \d+$/),
        `7 user:70 mail_domain.deleted ${second.id}`,
        `7 user:70 mail_domain.created ${back.id}`,
        `7 service:1 mail_domain.proven ${back.id}`
      ])
    })
  )
)

it.live("only service tokens create domains for other tenants, and users need the permission", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startAdmin()
      const platform = callsOf(suite, { headers: { "x-service-token": yield* suite.token } })
      expect((yield* platform.domain("a.test", { tenant_id: 7 })).tenant_id).toBe(7)
      expect((yield* platform.domain("b.test")).tenant_id).toBe(1)
      const body = { domain: "c.test", customer_id: 1 }
      expect((yield* callsOf(suite, as(8)).post("domains", { ...body, tenant_id: 7 })).status).toBe(403)
      expect((yield* callsOf(suite, as(8, "mail.read")).post("domains", body)).status).toBe(403)
      expect((yield* callsOf(suite, as(8, "mail.manage")).get("domains")).status).toBe(403)
      expect((yield* callsOf(suite, as(7, "mail.read")).get("domains")).json.items).toHaveLength(1)
      expect((yield* platform.get("domains")).json.items).toHaveLength(2)
      for (const wrong of [
        { ...body, domain: "org" },
        { ...body, customer_id: 0 },
        { ...body, customer_id: -1 },
        { domain: "c.test" },
        { ...body, more: 1 }
      ]) {
        expect((yield* platform.post("domains", wrong)).status).toBe(422)
      }
      // The same key and body give the same answer, and no second domain.
      const key = { "idempotency-key": "once" }
      const [first, second] = [yield* platform.post("domains", body, key), yield* platform.post("domains", body, key)]
      expect([second.status, second.json]).toEqual([201, first.json])
    })
  )
)

it.live("a domain waits for the mail server's name and address, and gets its records once they are set", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* migratedDatabase([mailAdmin.migrations])
      const places = (records: ReadonlyArray<{ readonly type: string; readonly name: string }>) =>
        records.map(({ name, type }) => `${type} ${name}`)
      const id = yield* Effect.scoped(
        Effect.gen(function* () {
          const suite = yield* startAdmin({ database, env: {} })
          const calls = callsOf(suite, as(7))
          const { json, status } = yield* calls.post("domains", { domain: "a.test", customer_id: 1 })
          expect([status, json.waiting_for]).toEqual([201, ["SIGNALBOX_MAIL_HOST", "SIGNALBOX_PLATFORM_IPV4"]])
          expect(places(json.records)).toEqual(["TXT _dmarc", "TXT mail._domainkey"])
          expect((yield* calls.post(`domains/${json.id}/dkim/rotate`)).status).toBe(200)
          expect(
            (yield* suite.call("GET", "/health", { token: yield* suite.token })).json.components.mail_server.status
          ).toBe("unconfigured")
          return json.id
        })
      )

      const again = yield* startAdmin({ database })
      const shown = Effect.map(callsOf(again, as(7)).get(`domains/${id}`), (answer) => answer.json)
      yield* until(
        "the records follow",
        Effect.map(shown, ({ records }) => records.length === 6)
      )
      const { records, waiting_for: waiting } = yield* shown
      expect([waiting, places(records).toSorted()]).toEqual([
        undefined,
        ["CNAME autoconfig", "MX @", "TXT @", "TXT _dmarc", "TXT mail._domainkey", "TXT mail2._domainkey"]
      ])
    })
  )
)

it.live("the result of a DNS check is stored at the record that was checked", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startAdmin()
      const { domain, get } = callsOf(suite, as(7))
      const { id, records } = yield* domain("a.test")
      const [mx, spf] = records
      const found = (checked_at: string, ...records: ReadonlyArray<unknown>) => {
        const data = { domain: "a.test", checked_at, records }
        return suite.sql`with e as (insert into core.event (type, source, data) values ('dns.mail_records.checked', 'test', ${suite.sql.json(data)}))
        select pg_notify('signalbox', 'event')`
      }
      const statuses = Effect.map(get(`domains/${id}`), ({ json }) =>
        json.records.map(({ status }: any) => status).join(" ")
      )
      const bare = ({ content, name, priority, type }: any) => ({ type, name, content, priority })
      yield* suite.sql`insert into core.event (type, source, data) values ('dns.mail_records.checked', 'test', '{"domain": 7}')`
      yield* found(
        "2026-01-02T00:00:00.000Z",
        { ...bare(mx), status: "ok" },
        { ...bare(spf), content: "v=spf1 -all", status: "ok" }
      )
      yield* until(
        "the MX is found",
        Effect.map(statuses, (now) => now === "ok unknown unknown unknown unknown")
      )
      expect((yield* get(`domains/${id}`)).json.records[0].checked_at).toBe("2026-01-02T00:00:00.000Z")
      // First older than the stored check, then newer.
      yield* found("2026-01-01T00:00:00.000Z", { ...bare(mx), status: "missing" }, { ...bare(spf), status: "wrong" })
      yield* until(
        "the SPF is found",
        Effect.map(statuses, (now) => now === "ok wrong unknown unknown unknown")
      )
      yield* found("2026-01-03T00:00:00.000Z", { ...bare(mx), status: "missing" })
      yield* until(
        "the MX is lost",
        Effect.map(statuses, (now) => now === "missing wrong unknown unknown unknown")
      )
    })
  )
)

it.live("a rotation publishes the next key, activates it, and removes the old key at the next rotation", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startAdmin()
      const { domain, post } = callsOf(suite, as(7))
      const { id } = yield* domain("a.test")
      const keys = ({ json }: any) => json.dkim_keys.map(({ selector, state }: any) => `${selector} ${state}`)
      const published = ({ json }: any) =>
        json.records.filter(({ name }: any) => name.endsWith("_domainkey")).map(({ name }: any) => name.split(".")[0])
      const rotated = yield* post(`domains/${id}/dkim/rotate`)
      expect([keys(rotated), published(rotated), rotated.json.dkim_selector]).toEqual([
        ["mail active", "mail2 next"],
        ["mail", "mail2"],
        "mail"
      ])
      const early = yield* post(`domains/${id}/dkim/rotate`)
      expect([early.status, early.json.code, early.json.selector]).toEqual([409, "rotation_under_way", "mail2"])
      const active = yield* post(`domains/${id}/dkim/mail2/activate`)
      expect([keys(active), published(active), active.json.dkim_selector]).toEqual([
        ["mail retired", "mail2 active"],
        ["mail", "mail2"],
        "mail2"
      ])
      expect((yield* post(`domains/${id}/dkim/mail2/activate`)).json).toEqual(active.json)
      expect((yield* post(`domains/${id}/dkim/mail/activate`)).status).toBe(404)
      const again = yield* post(`domains/${id}/dkim/rotate`)
      expect([keys(again), published(again)]).toEqual([
        ["mail2 active", "mail3 next"],
        ["mail2", "mail3"]
      ])
      const told = yield* events(suite, "mail.domain.")
      expect(told.map(({ records, type }) => [type, records.length])).toEqual([
        ["mail.domain.created", 5],
        ["mail.domain.changed", 6],
        ["mail.domain.changed", 6],
        ["mail.domain.changed", 6]
      ])
    })
  )
)

it.live("a domain gets its records when an operator stores the mail server's name and address", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startAdmin({ env: {} })
      const calls = callsOf(suite, as(7))
      const { json } = yield* calls.post("domains", { domain: "stored.test", customer_id: 1 })
      expect(json.records.length).toBe(2)
      for (const [name, value] of Object.entries(mailServer))
        yield* suite.sql`insert into core.stored_setting (name, value, changed_by) values (${name}, ${value}, 'operator')`
      yield* suite.sql`select pg_notify('signalbox', 'core.settings')`
      yield* until(
        "the records follow",
        Effect.map(calls.get(`domains/${json.id}`), ({ json }) => json.records.length === 5 && !("waiting_for" in json))
      )
    })
  )
)
