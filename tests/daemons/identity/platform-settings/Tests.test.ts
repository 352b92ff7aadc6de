/** Tests of settings really try, also values that are not stored yet. Only who manages settings may start them. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { dnsVerifier } from "#daemons/dns-verifier/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { BotApiDouble } from "#support/BotApiDouble.ts"
import { a, make as makeNameServer } from "#support/dns/HostileServer.ts"
import * as MailSink from "#support/MailSink.ts"
import { SpeechDouble } from "#support/SpeechDouble.ts"
import { SwitchDouble } from "#support/switch/SwitchDouble.ts"
import { managementSuite } from "../ManagementSuite.ts"

const path = "settings/platform"

const started = Effect.gen(function* () {
  const management = yield* managementSuite({
    daemons: [identity],
    // The other daemons of the installation run elsewhere; their settings are known here.
    fleet: [identity, commDispatcher, dnsVerifier],
    env: { SIGNALBOX_MESSENGER_TOKEN: "", SIGNALBOX_TTS_STAND_INS: "cloud" }
  })
  const anna = yield* management.somebody(1, "admin")
  const test = (group: string, values: Record<string, string | null> = {}, to?: string) =>
    management.as(anna, "POST", `${path}/tests/${group}`, { values, ...(to === undefined ? {} : { to }) })
  return { ...management, anna, test }
})

const service = <S extends { start(): Promise<string>; stop(): Promise<void> }>(double: S) =>
  Effect.acquireRelease(
    Effect.promise(() => double.start()),
    () => Effect.promise(() => double.stop())
  )

it.live(
  "the messenger, the relay, the switch, speech and resolvers are tried with values that are not stored",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { audited, sql, test } = yield* started

        const bot = new BotApiDouble({ chats: ["4711"] })
        const url = yield* service(bot)
        assert.deepInclude((yield* test("messenger")).json, { ok: false })
        const messenger = { SIGNALBOX_MESSENGER_TOKEN: bot.token, SIGNALBOX_MESSENGER_URL: url }
        const sent = yield* test("messenger", messenger, "4711")
        assert.strictEqual(sent.status, 200)
        assert.deepStrictEqual(
          sent.json.items.map(({ ok, subject }: { ok: boolean; subject: string }) => [subject, ok]),
          [
            ["SIGNALBOX_MESSENGER_TOKEN", true],
            ["4711", true]
          ]
        )
        assert.deepStrictEqual(
          bot.messages.map(({ chatId }) => chatId),
          ["4711"]
        )
        const wrongToken = { ...messenger, SIGNALBOX_MESSENGER_TOKEN: "1:wrong" }
        const wrong = yield* test("messenger", wrongToken, "4711")
        assert.strictEqual(wrong.json.ok, false)
        assert.lengthOf(bot.messages, 1)
        assert.notInclude(JSON.stringify([wrong.json, sent.json]), bot.token)

        const sink = yield* MailSink.make()
        const relay = { SIGNALBOX_NOTICE_SMTP_URL: `smtp://127.0.0.1:${sink.port}` }
        assert.strictEqual((yield* test("relay", relay)).json.ok, true)
        assert.lengthOf(sink.mails, 0)
        assert.strictEqual((yield* test("relay", relay, "boss@example.test")).json.ok, true)
        assert.deepStrictEqual(
          sink.mails.map(({ to }) => to),
          [["boss@example.test"]]
        )
        sink.behave(550)
        assert.strictEqual((yield* test("relay", relay, "boss@example.test")).json.ok, false)

        const double = yield* SwitchDouble.make()
        const host = { SIGNALBOX_SWITCH_HOST: "127.0.0.1", SIGNALBOX_SWITCH_PORT: String(double.port) }
        const answer = yield* test("switch", { ...host, SIGNALBOX_SWITCH_PASSWORD: double.password })
        assert.strictEqual(answer.json.ok, true, JSON.stringify(answer.json))
        assert.match(answer.json.items[0].text.en, /^The switch answers: \S/)
        const refused = yield* test("switch", { ...host, SIGNALBOX_SWITCH_PASSWORD: "wrong" })
        assert.strictEqual(refused.json.ok, false)

        const speech = new SpeechDouble({ token: "speech-token" })
        const gateway = { SIGNALBOX_TTS_URL: yield* service(speech), SIGNALBOX_TTS_TOKEN: "speech-token" }
        const spoken = yield* test("speech", gateway)
        assert.strictEqual(spoken.json.ok, true, JSON.stringify(spoken.json))
        assert.strictEqual((yield* test("speech", { ...gateway, SIGNALBOX_TTS_TOKEN: "wrong" })).json.ok, false)

        const server = yield* makeNameServer("127.0.0.1", 0, ({ name }) => [{ answers: [a(name, "192.0.2.1")] }])
        const resolvers = { SIGNALBOX_RESOLVERS: `127.0.0.1:${server.port}` }
        const found = yield* test("resolvers", resolvers, "example.test")
        assert.strictEqual(found.json.ok, true, JSON.stringify(found.json))

        // Nothing is stored, and each test is audited without its values.
        assert.lengthOf(yield* sql`select 1 from core.stored_setting`, 0)
        const entries = yield* audited("setting.tested")
        assert.deepInclude(entries[1], {
          entity_id: "messenger",
          detail: { values: Object.keys(messenger), to: "4711" }
        })
        assert.notInclude(JSON.stringify(entries), bot.token)
      })
    ),
  120_000
)

it.live("a test refuses forbidden hosts, wrong and locked values, other groups and other people", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { anna, as, program, somebody, tenant, test } = yield* started
      for (const host of ["169.254.169.254", "0.0.0.0", "224.0.0.1", "[fd00:ec2::254]", "[fe80::1]"]) {
        const answer = yield* test("relay", { SIGNALBOX_NOTICE_SMTP_URL: `smtp://${host}:25` })
        assert.strictEqual(answer.json.ok, false, host)
        assert.match(answer.json.items[0].text.en, /not allowed/, host)
      }
      for (const [group, values, to] of [
        ["messenger", { SIGNALBOX_MESSENGER_TOKEN: "has spaces" }, undefined],
        ["messenger", { SIGNALBOX_MESSENGER_URL: "ftp://x" }, undefined],
        ["messenger", { SIGNALBOX_NOTICE_SMTP_URL: "smtp://x" }, undefined],
        ["messenger", { SIGNALBOX_DATA_DIR: "/" }, undefined],
        ["messenger", {}, "no chat"],
        ["relay", { SIGNALBOX_NOTICE_SMTP_URL: "@/etc/passwd" }, undefined],
        ["relay", {}, "a@b\r\nRCPT TO:<c@d>"],
        ["switch", { SIGNALBOX_SWITCH_PASSWORD: "ClueCon" }, undefined],
        ["switch", {}, "target"],
        ["speech", { SIGNALBOX_TTS_STAND_INS: "local_fast" }, undefined],
        ["resolvers", { SIGNALBOX_RESOLVERS: "not an address" }, undefined]
      ] as const) {
        const answer = yield* test(group, values, to)
        assert.strictEqual(answer.status, 422, JSON.stringify([group, values, to, answer.json]))
      }
      for (const group of ["branding", "x", "%00"]) assert.strictEqual((yield* test(group)).status, 404)
      const elsewhere = yield* tenant()
      for (const who of [
        yield* somebody(elsewhere, "admin"),
        yield* somebody(elsewhere, "reseller"),
        yield* somebody(1, "user"),
        yield* program("users.read")
      ])
        assert.strictEqual((yield* as(who, "POST", `${path}/tests/relay`, {})).status, 403)
      assert.strictEqual((yield* as(anna, "POST", `${path}/tests/relay`, { unknown: 1 })).status, 422)
    })
  )
)
