/** Authorisation of the switch endpoint, hostile input, and updates after changes. */
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { execFileSync } from "node:child_process"
import * as Store from "#core/auth/ServiceTokenStore.ts"
import { sealedExtensions } from "#daemons/sip-config/directory/Credentials.ts"
import { holdsAfter, until } from "#support/Frame.ts"
import { requirePeer } from "#support/peers/install.ts"
import { asking, lookUp } from "#support/switch/LookUps.ts"
import { basic, startSwitch } from "./SwitchSuite.ts"

const register = lookUp("A10-register-a1hash", "action=sip_auth")
const fromOutside = lookUp("A31", "section=dialplan")
const anna = asking(register, { user: "1001" })
const notFound = '<result status="not found"/>'

it.live(
  "only a service token of its scope asks, from an admitted address",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const suite = yield* startSwitch()
        const { ask, fill, secret, sql } = suite
        yield* fill
        const other = Redacted.value(
          (yield* Store.create({ name: "other", scopes: ["introspection"] }).pipe(
            Effect.provideService(SqlClient.SqlClient, sql)
          )).token
        )
        // Asks again after 503: a busy machine cannot always compare the tokens with the database within 800 ms.
        const status = (headers: Record<string, string>) =>
          Effect.map(
            Effect.repeat(ask(anna, headers), { while: ({ status }) => status === 503, times: 5 }),
            ({ status, text }) => [status, /a1-hash|secret/.test(text)]
          )
        expect(yield* status({ authorization: basic(secret) })).toEqual([200, true])
        expect(yield* status({ "x-service-token": secret })).toEqual([200, true])
        expect(yield* status({ "x-service-token": yield* suite.token })).toEqual([200, true])
        const bad = [
          {},
          { authorization: basic(other) },
          { authorization: basic("wrong") },
          { authorization: `Bearer ${secret}` },
          { "x-service-token": "" },
          { "x-service-token": secret, authorization: basic("wrong") },
          { authorization: "Basic !!" }
        ]
        for (const headers of bad) expect(yield* status(headers as Record<string, string>)).toEqual([403, false])
        yield* sql`update core.service_token set revoked_at = now() where name = 'switch'`
        yield* holdsAfter(
          3_000,
          "the revoked token is refused",
          Effect.map(status({ authorization: basic(secret) }), ([code]) => code === 403)
        )
        const refusals = sql<{
          detail: unknown
        }>`select detail, address, entity_id from core.audit where action = 'refused.switch_caller'`
        // The answers do not wait for this row.
        yield* until(
          "the first refusal is written",
          Effect.map(refusals, ({ length }) => length > 0)
        )
        const rows = yield* refusals
        expect(rows).toHaveLength(1)
        expect(JSON.stringify(rows)).not.toMatch(/wrong|sbx_/)
      })
    ),
  120_000
)

it.live(
  "from elsewhere even the right token is refused",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ask } = yield* startSwitch({ env: { SIGNALBOX_SWITCH_CIDRS: "10.0.0.0/8" } })
        expect((yield* ask(anna)).status).toBe(403)
      })
    ),
  120_000
)

it.live(
  "hostile names, fields and bodies come out inert",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ask, fill, seal, sql } = yield* startSwitch()
        yield* fill
        const xmllint = requirePeer("xmllint")
        const well = (text: string) => {
          expect(text).toMatch(/^<\?xml/)
          if (xmllint.available)
            execFileSync(xmllint.path, ["--noout", "-"], { input: text, stdio: ["pipe", "ignore", "pipe"] })
        }
        const names = [
          '"><user id="0"/>',
          "a\u0001\u001f\u007fb\u0085",
          "${system rm}$${x}{a=b}[c]",
          "a,b|c'd\"e\\f",
          "x".repeat(10_000),
          "\ud83d\ude00 \u4e2d",
          "]]>&#0;&amp;",
          "%41%00"
        ]
        for (const [index, name] of names.entries()) {
          const id = 100 + index
          const envelope = yield* seal(sealedExtensions, id, "x")
          yield* sql`insert into sip_config.extension (id, tenant_id, domain_id, extension, name, password) values (${id}, 2, 1, ${String(id)}, ${name}, ${envelope})`
          yield* sql`insert into sip_config.extension (id, tenant_id, domain_id, extension, name, password) values (${id + 100}, 2, 1, ${name}, 'x', ${envelope})`
          yield* sql`insert into sip_config.ring_group (tenant_id, domain_id, number, name, strategy, ring_timeout, extensions)
        values (2, 1, ${`7${index}`}, ${name}, 'sequence', 5, array['1001', ${name}])`
        }
        yield* until(
          "the picture has them",
          Effect.map(ask(asking(register, { user: "107" })), ({ text }) => text.includes("a1-hash"))
        )
        for (const [index, name] of names.entries()) {
          const { text } = yield* ask(asking(register, { user: String(100 + index) }))
          well(text)
          expect(text.match(/<user /g)).toHaveLength(1)
          const shown = /effective_caller_id_name" value="([^"]*)"/.exec(text)![1]!
          expect(shown).not.toMatch(/[$,'|[\]{}\\\u0000-\u001f]/)
          expect(shown.length).toBeLessThan(400)
          const asked = yield* Effect.forEach(
            [
              asking(register, { user: encodeURIComponent(name) }),
              asking(register, { domain: encodeURIComponent(name) }),
              asking(lookUp("A41", "action=group_call"), { group_name: encodeURIComponent(name) }),
              asking(fromOutside, { "Hunt-Destination-Number": encodeURIComponent(name) }),
              asking(fromOutside, { "Hunt-Context": encodeURIComponent(name) }),
              asking(fromOutside, { "Hunt-Destination-Number": encodeURIComponent(name), "Hunt-Context": "tenant-2" })
            ],
            (body) => ask(body)
          )
          for (const { status, text } of asked) {
            expect(status).toBe(200)
            well(text)
            for (const [user] of text.matchAll(/<user[ >].*?<\/user>|<user[^>]*\/>/gs))
              expect(user).toContain("<params>")
            expect(text).not.toMatch(/application="(?!set|bridge|answer|sleep|voicemail|respond)/)
          }
          // A number with such characters is not dialled.
          expect(asked[5]!.text).toContain('data="404 Not Found"')
        }
        // Bodies that are too long, truncated, empty or binary, and fields that imitate other fields.
        const long = `${anna}&x=${"y".repeat(70_000)}`
        // The long body begins with a body whose answer is cached.
        expect((yield* ask(anna)).text).toContain("a1-hash")
        expect((yield* ask(long)).text).not.toContain("a1-hash")
        expect((yield* ask(long)).text).toContain('<domain name="lab.example">')
        expect((yield* ask(`${fromOutside}&x=${"y".repeat(70_000)}`)).text).toContain('data="503 Service Unavailable"')
        for (const body of [
          "",
          "&&&",
          "section=",
          "section=directory",
          "section=dialplan",
          "section=__proto__",
          "section=constructor",
          "\u0000\u00ff",
          "section=directory&key_value=%&user=%zz"
        ]) {
          const { status, text } = yield* ask(body)
          expect([body, status, text.includes(notFound)]).toEqual([body, 200, true])
        }
        const forged = `hostname=x&section=directory&tag_name=domain&key_name=name&key_value=lab.example&user=1001&domain=lab.example&action=sip_auth&user=nobody&domain=lab.example`
        expect((yield* ask(forged)).text).not.toContain("a1-hash")
      })
    ),
  120_000
)

it.live(
  "a change holds within a second, a deletion too, also when nobody was told",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ask, fill, seal, sql } = yield* startSwitch()
        yield* fill
        const shows = (text: string, expected = true) =>
          holdsAfter(
            2_000,
            text,
            Effect.map(ask(anna), (answer) => answer.text.includes(text) === expected)
          )
        yield* sql`update sip_config.extension set name = 'Anders' where id = 1`
        yield* shows("Anders")
        yield* sql`update sip_config.extension set enabled = false where id = 1`
        yield* shows("a1-hash", false)
        const envelope = yield* seal(sealedExtensions, 1, "another password")
        yield* sql`update sip_config.extension set enabled = true, password = ${envelope} where id = 1`
        yield* shows("a1-hash")
        const before = (yield* ask(anna)).text
        yield* sql`delete from sip_config.voicemail_box where box = '1001'`
        yield* shows('value="none"')
        expect(before).not.toBe((yield* ask(anna)).text)
        yield* sql`delete from sip_config.extension where id = 1`
        yield* shows("a1-hash", false)
        expect((yield* ask(anna)).text).toContain('<domain name="lab.example">')
        // An envelope of a different row cannot be opened.
        yield* sql`update sip_config.extension set password = ${envelope} where id = 2`
        yield* until(
          "the foreign envelope",
          Effect.map(ask(asking(register, { user: "1002" })), ({ text }) => !text.includes("a1-hash"))
        )
      })
    ),
  120_000
)
