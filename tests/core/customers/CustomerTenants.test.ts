/** Rows with a customer belong to the customer's tenant, in every daemon that creates such rows. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { dnsVerifier } from "#daemons/dns-verifier/Daemon.ts"
import { mailAdmin } from "#daemons/mail-admin/Daemon.ts"
import { smallDns } from "../../daemons/dns-verifier/SmallDns.ts"
import { emitCustomer } from "#support/CustomerEvents.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { startSuite } from "#support/TestSuite.ts"

const [own, other] = [41, 42]
const [customer, unknown] = [7_001, 7_002]

const creations = [
  {
    daemon: "mail-admin",
    schema: "mail_admin",
    path: "/api/v1/mail/domains",
    body: (n: number) => ({ domain: `mail${n}.example.org` })
  },
  {
    daemon: "dns-verifier",
    schema: "dns_verifier",
    path: "/api/v1/domains",
    body: (n: number) => ({ name: `dns${n}.example.org` })
  },
  {
    daemon: "dns-verifier",
    schema: "dns_verifier",
    path: "/api/v1/dns-providers",
    body: (n: number) => ({ name: `Account ${n}`, type: "manual" })
  }
]

it.live("gives a row to its customer's tenant, and refuses a platform caller who names another", () =>
  Effect.gen(function* () {
    const dns = yield* smallDns
    const suite = yield* startSuite({
      daemons: [mailAdmin, dnsVerifier],
      verifier: fakeUsers,
      env: { SIGNALBOX_PLATFORM_IPV4: "192.0.2.10", SIGNALBOX_MAIL_HOST: "mx.provider.test", ...dns.env }
    })
    const platform = { "x-service-token": yield* suite.token }
    for (const schema of ["mail_admin", "dns_verifier"])
      yield* emitCustomer(suite, schema, { customer_id: customer, tenant_id: own })
    let n = 0
    for (const { body, daemon: of, path } of creations) {
      const create = (headers: Record<string, string>, more: object) =>
        suite.call("POST", path, { of, headers, body: { ...body(++n), ...more } })
      const user = (tenant: number) => ({ authorization: `Bearer user:${tenant}:*` })
      const made = yield* create(platform, { customer_id: customer })
      expect([made.status, made.json.tenant_id], path).toEqual([201, own])
      const named = yield* create(platform, { customer_id: customer, tenant_id: own })
      expect([named.status, named.json.tenant_id], path).toEqual([201, own])
      const wrong = yield* create(platform, { customer_id: customer, tenant_id: other })
      expect([wrong.status, wrong.json.errors?.[0].field], path).toEqual([422, "payload.customer_id"])
      // Without a known customer the row belongs to the named tenant, else to the provider.
      expect((yield* create(platform, { customer_id: unknown })).json.tenant_id, path).toBe(1)
      expect((yield* create(platform, { customer_id: unknown, tenant_id: other })).json.tenant_id, path).toBe(other)
      // A user cannot create a row for another tenant, and does not learn whose the customer is.
      const theirs = yield* create(user(other), { customer_id: customer })
      expect([theirs.status, theirs.json.tenant_id], path).toEqual([201, other])
      expect((yield* create(user(other), { customer_id: customer, tenant_id: own })).status, path).toBe(403)
    }

    const domain = (yield* suite.call("POST", "/api/v1/domains", {
      of: "dns-verifier",
      headers: platform,
      body: { name: "moved.example.org", customer_id: unknown, tenant_id: other }
    })).json
    const moved = yield* suite.call("PUT", `/api/v1/domains/${domain.id}`, {
      of: "dns-verifier",
      headers: platform,
      body: { customer_id: customer }
    })
    expect([moved.status, moved.json.errors?.[0].field]).toEqual([422, "payload.customer_id"])

    // An older event changes nothing; a deleted customer holds no rows.
    yield* emitCustomer(suite, "mail_admin", { customer_id: customer, tenant_id: own, version: 3, state: "deleted" })
    yield* suite.sql`insert into core.event (type, source, tenant_id, data) values ('customer.changed', 'test', ${own},
      ${suite.sql.json({ customer_id: customer, tenant_id: own, number: "K1", name: "C", locale: "de", email: null, phones: [], state: "active", version: 2 })})`
    yield* emitCustomer(suite, "mail_admin", { customer_id: unknown, tenant_id: other })
    const later = yield* suite.call("POST", "/api/v1/mail/domains", {
      of: "mail-admin",
      headers: platform,
      body: { domain: "later.example.org", customer_id: customer }
    })
    expect([later.status, later.json.tenant_id]).toEqual([201, 1])
  })
)
