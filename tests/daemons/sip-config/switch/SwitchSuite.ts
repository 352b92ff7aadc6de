/**
 * A sip-config with telephony data of two tenants, written directly into its tables, and a switch that sends requests.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { join } from "node:path"
import { contextOf, layer as secretsLayer, type SealedColumn, Secrets } from "#core/config/Secrets.ts"
import * as Store from "#core/auth/ServiceTokenStore.ts"
import { sealedExtensions, sealedPins, sealedTrunks } from "#daemons/sip-config/directory/Credentials.ts"
import { startTelephony } from "../Telephony.ts"
import { until } from "#support/Frame.ts"
import type { StartOptions } from "#support/TestSuite.ts"

/** Passwords of the extensions 1 to 5, in order. The last extension belongs to a different tenant. */
const passwords = ["secret-1001", "secret-1002", "secret-1003", "secret-1009", "secret-other"]

export const startSwitch = Effect.fnUntraced(function* (options: Partial<StartOptions> = {}) {
  const suite = yield* startTelephony(options)
  const { sql } = suite
  const secrets = Context.get(yield* Layer.build(secretsLayer(join(suite.env["SIGNALBOX_DATA_DIR"]!, "keys"))), Secrets)
  const seal = (column: SealedColumn, id: number, secret: string) =>
    secrets.seal(Redacted.make(secret), contextOf(column, String(id)))
  const { token } = yield* Store.create({ name: "switch", scopes: ["switch"] }).pipe(
    Effect.provideService(SqlClient.SqlClient, sql)
  )
  const secret = Redacted.value(token)

  /** Sends a request like the switch. Returns status and text. */
  const ask = (body: string, headers: Readonly<Record<string, string>> = { authorization: basic(secret) }) =>
    Effect.promise(async () => {
      const response = await fetch(`${suite.base("sip-config")}/switch/xml`, {
        method: "POST",
        headers: {
          "user-agent": "freeswitch-xml/1.0",
          "content-type": "application/x-www-form-urlencoded",
          ...headers
        },
        body: Buffer.from(body, "latin1")
      })
      return { status: response.status, type: response.headers.get("content-type"), text: await response.text() }
    })
  return {
    ...suite,
    secret,
    seal,
    ask,
    fill: Effect.andThen(
      fill(sql, seal),
      until(
        "the picture has it",
        Effect.map(ask(anna), ({ text }) => text.includes("a1-hash"))
      )
    )
  }
})

const anna =
  "hostname=x&section=directory&tag_name=domain&key_name=name&key_value=lab.example&key=id&user=1001&domain=lab.example"

export const basic = (secret: string): string => `Basic ${Buffer.from(`switch:${secret}`).toString("base64")}`

/** Inserts the data: tenant 2 has lab.example, tenant 3 other.example. Notifies like the API. */
const fill = (
  sql: PgClient.PgClient,
  seal: (column: SealedColumn, id: number, secret: string) => Effect.Effect<string, unknown>
) =>
  Effect.gen(function* () {
    const [e1, e2, e3, e4, e5] = yield* Effect.all(
      passwords.map((word, index) => seal(sealedExtensions, index + 1, word))
    )
    const [t1, t2] = yield* Effect.all([
      seal(sealedTrunks, 1, "trunk-secret-1"),
      seal(sealedTrunks, 2, 'pa$${x}ss&<"word')
    ])
    const [b1, b2] = yield* Effect.all([seal(sealedPins, 1, "4321"), seal(sealedPins, 2, "9876")])
    // In one transaction: the daemon compares at any time, and must not see a part.
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`insert into sip_config.sip_domain (tenant_id, domain, proven) values (2, 'lab.example', true), (3, 'other.example', true)`
        yield* sql`insert into sip_config.extension (tenant_id, domain_id, extension, name, password, enabled) values
          (2, 1, '1001', 'Anna Lab', ${e1!}, true), (2, 1, '1002', 'Ben Böe', ${e2!}, true), (2, 1, '1003', 'Cora', ${e3!}, true),
          (2, 1, '1009', 'Gone', ${e4!}, false), (3, 2, '1001', 'Other', ${e5!}, true)`
        yield* sql`insert into sip_config.trunk (tenant_id, name, host, username, password, realm, networks, confirmed, caller_id,
           register) values
          (2, 'First', 'sip.provider.test', 'lab', ${t1}, 'provider.test', '{192.0.2.0/24}', '{192.0.2.0/24}', null, true),
          (2, 'Second', '198.51.100.7', 'lab2', ${t2}, null, '{}', '{}', '+4930999', true),
          (3, 'Third', '203.0.113.9', null, null, null, '{203.0.113.0/28}', '{203.0.113.0/28}', null, false)`
        yield* sql`insert into sip_config.voicemail_box (tenant_id, domain_id, box, name, pin, email) values
          (2, 1, '1001', 'Anna', ${b1}, 'anna@lab.example'), (2, 1, '2000', 'Desk', ${b2}, null)`
        yield* sql`insert into sip_config.ring_group (tenant_id, domain_id, number, name, strategy, ring_timeout, extensions) values
          (2, 1, '600', 'Sales', 'simultaneous', 20, '{1001,1002,1009}'), (2, 1, '601', 'Desk', 'sequence', 15, '{1001,1002,1003}'),
          (2, 1, null, 'Any', 'random', 10, '{1001,1002,1003}')`
        yield* sql`insert into sip_config.external_number (tenant_id, number, name) values (2, '+491701234567', 'Mobile'), (2, '+4930123004', 'Own')`
        yield* sql`insert into sip_config.ivr_menu (tenant_id, domain_id, name, greeting, entries) values (2, 1, 'Main', 'ivr/hello.wav', ${sql.json(
          [
            { digits: "1", destination_type: "extension", destination_id: 1 },
            { digits: "2", destination_type: "ring_group", destination_id: 3 },
            { digits: "3", destination_type: "external", destination_id: 1 },
            { digits: "4", destination_type: "voicemail", destination_id: 2 },
            { digits: "9", destination_type: "ivr_menu", destination_id: 1 },
            { digits: "8", destination_type: "extension", destination_id: 5 }
          ]
        )})`
        yield* sql`insert into sip_config.did (tenant_id, number, name, trunk_id, destination_type, destination_id, assigned) values
          (2, '+4930123001', 'Anna', 1, 'extension', 1, true), (2, '+4930123002', 'Sales', 1, 'ring_group', 1, true), (2, '+4930123003', 'Menu', 1, 'ivr_menu', 1, true),
          (2, '+4930123004', 'Box', 1, 'voicemail', 2, true), (2, '+4930123005', 'Mobile', 1, 'external', 1, true), (2, '+4930123006', 'Round', 1, 'external', 2, true),
          (3, '+4930555001', 'Other', 3, 'extension', 5, true)`
        yield* sql`insert into sip_config.line (tenant_id, extension_id, did_id, trunk_id, priority) values (2, 1, 1, 2, 20), (2, 1, 1, 1, 10)`
        yield* sql`insert into sip_config.call_filter (tenant_id, name, type, pattern) values (2, 'Spam', 'blacklist', '+49900*')`
      })
    )
    yield* sql`select pg_notify('signalbox', 'sip_config.data')`
  })
