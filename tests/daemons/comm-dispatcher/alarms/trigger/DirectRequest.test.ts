import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import {
  CallRequest,
  maxFallbacks,
  maxTargets,
  MessengerRequest,
  MessengerVoiceRequest,
  NotifyRequest
} from "#daemons/comm-dispatcher/alarms/CommRequests.ts"
import { normaliseTarget } from "#daemons/comm-dispatcher/alarms/subject/NormaliseTarget.ts"
import {
  fromCall,
  fromMessenger,
  fromMessengerVoice,
  fromNotify
} from "#daemons/comm-dispatcher/alarms/trigger/DirectRequest.ts"
import { placed } from "#daemons/comm-dispatcher/alarms/run/TargetSpec.ts"
import { channels } from "#daemons/comm-dispatcher/vocabulary/Target.ts"

const read =
  <S extends Schema.Codec<any, any>>(schema: S) =>
  (body: unknown): S["Type"] =>
    Schema.decodeUnknownSync(schema)(body)
const call = read(CallRequest)
const messenger = read(MessengerRequest)
const voice = read(MessengerVoiceRequest)
const notify = read(NotifyRequest)

describe("a direct request", () => {
  it("has the defaults of the interface", () => {
    assert.deepStrictEqual(call({ target: "+4915112345678", text: "t" }), {
      target: "+4915112345678",
      text: "t",
      tts_provider: "local_gpu",
      tts_voice: "",
      gateway: "",
      pause_ms: 4000,
      repeat: 2
    })
    assert.deepStrictEqual(messenger({ chat_id: "1", text: "t" }), { chat_id: "1", text: "t", severity: "" })
    assert.deepStrictEqual(voice({ chat_id: "1", text: "t" }), {
      chat_id: "1",
      text: "t",
      caption: "",
      tts_provider: "local_gpu",
      tts_voice: ""
    })
    assert.deepStrictEqual(notify({ channels: [{ channel: "sms", target: "+4915112345678" }], text: "t" }), {
      channels: [{ channel: "sms", target: "+4915112345678", fallback: [] }],
      text: "t",
      severity: "",
      tts_provider: "local_gpu",
      tts_voice: ""
    })
  })

  it("becomes targets in their one form, with what was asked for and the defaults", () => {
    assert.deepStrictEqual(fromCall(call({ target: "0049 (151) 1234-5678", text: "t" })), {
      eventType: "comm.call",
      text: "t",
      severity: null,
      targets: [
        { channel: "call", target: "+4915112345678", options: { tts_provider: "local_gpu", pause_ms: 4000, repeat: 2 } }
      ]
    })
    const asked = { tts_provider: "cloud", tts_voice: "anna", gateway: "trunk-2", pause_ms: 0, repeat: 1 }
    assert.deepStrictEqual(
      fromCall(call({ target: "+4915112345678", text: "t", ...asked })).targets[0]!.options as unknown,
      asked
    )
    assert.deepStrictEqual(fromMessenger(messenger({ chat_id: "@Ops_Team", text: "t", severity: "ALERT" })), {
      eventType: "comm.messenger",
      text: "t",
      severity: "ALERT",
      targets: [{ channel: "messenger", target: "@ops_team" }]
    })
    assert.isNull(fromMessenger(messenger({ chat_id: "1", text: "t", severity: "" })).severity)
    assert.deepStrictEqual(
      fromMessengerVoice(voice({ chat_id: "007", text: "t", caption: "c\0", tts_voice: "anna" })).targets,
      [
        {
          channel: "messenger_voice",
          target: "7",
          options: { tts_provider: "local_gpu", tts_voice: "anna", caption: "c\uFFFD" }
        }
      ]
    )
  })

  it("of several targets gives each its own options, the notice's, or the defaults, and keeps what its channel heeds", () => {
    const { severity, targets } = fromNotify(
      notify({
        text: "t",
        severity: "CRITICAL",
        tts_provider: "local_fast",
        tts_voice: "otto",
        channels: [
          {
            channel: "call",
            target: "+4915112345678",
            repeat: 3,
            tts_voice: "anna",
            caption: "not heeded",
            fallback: [
              { channel: "messenger_voice", target: "1", caption: "c", pause_ms: 1, tts_provider: "cloud" },
              { channel: "messenger", target: "1", tts_voice: "not heeded" }
            ]
          },
          { channel: "webhook", target: "https://EXAMPLE.org/#x", gateway: "g" },
          { channel: "sms", target: "+4915112345678" }
        ]
      })
    )
    assert.strictEqual(severity, "CRITICAL")
    assert.deepStrictEqual(targets, [
      {
        channel: "call",
        target: "+4915112345678",
        options: { tts_provider: "local_fast", tts_voice: "anna", pause_ms: 4000, repeat: 3 },
        fallback: [
          {
            channel: "messenger_voice",
            target: "1",
            options: { tts_provider: "cloud", tts_voice: "otto", caption: "c" }
          },
          { channel: "messenger", target: "1" }
        ]
      },
      { channel: "webhook", target: "https://example.org/" },
      { channel: "sms", target: "+4915112345678" }
    ])
  })

  it("counts a target written twice once, and no target as its own fallback", () => {
    const { targets } = fromNotify(
      notify({
        text: "t",
        channels: [
          {
            channel: "messenger",
            target: "1",
            fallback: [
              { channel: "messenger", target: "01" },
              { channel: "sms", target: "+4915112345678" },
              { channel: "sms", target: "004915112345678" }
            ]
          },
          { channel: "messenger", target: "0001" },
          { channel: "messenger_voice", target: "1" }
        ]
      })
    )
    assert.deepStrictEqual(
      targets.map(({ channel, target, fallback }) => [channel, target, fallback?.length]),
      [
        ["messenger", "1", 1],
        ["messenger_voice", "1", undefined]
      ]
    )
  })

  it("whatever it says, is refused or made of targets that are what they are", () => {
    const numbers = fc.constantFrom("+4915112345678", "00491511234567", "+49 151 (123) 456-78", "0151", "12", "")
    const chats = fc.constantFrom("12", "0012", "-100123", "@ops_team", "@Ops_Team", "@", "0", "1".repeat(20))
    const urls = fc.oneof(
      fc.constantFrom("https://a.test/x;y#z", "http://A.test", "ftp://a.test", "https://u:p@a.test/"),
      fc.webUrl()
    )
    const hostile = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("a", "de_DE-otto", "Otto Normal", "models/de/otto", "a/../b", "") },
      { weight: 1, arbitrary: fc.string({ unit: "binary" }) }
    )
    const reach = fc
      .record(
        {
          whom: fc.oneof(
            fc.tuple(fc.constantFrom("call", "sms"), numbers),
            fc.tuple(fc.constantFrom("messenger", "messenger_voice"), chats),
            fc.tuple(fc.constant("webhook"), urls),
            { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...channels, "pigeon"), fc.string({ unit: "binary" })) }
          ),
          pause_ms: fc.integer({ min: -1, max: 60_001 }),
          tts_voice: hostile,
          gateway: hostile,
          caption: hostile
        },
        { requiredKeys: ["whom"] }
      )
      .map(({ whom: [channel, target], ...options }) => ({ channel, target, ...options }))
    const item = fc
      .tuple(reach, fc.array(reach, { maxLength: maxFallbacks + 1 }))
      .map(([first, fallback]) => ({ ...first, fallback }))
    const body = fc.record({ channels: fc.array(fc.oneof(reach, item), { maxLength: 4 }), text: hostile })
    let taken = 0
    fc.assert(
      fc.property(body, (body) => {
        const decoded = Schema.decodeUnknownResult(NotifyRequest)(body)
        if (Result.isFailure(decoded)) return
        taken++
        const { targets } = fromNotify(decoded.success)
        assert.isAtMost(targets.length, maxTargets)
        for (const { channel, options, target } of placed(targets, 0)) {
          assert.deepStrictEqual(normaliseTarget(channel, target), Result.succeed(target))
          assert.match(options?.gateway ?? "a", /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
          assert.notMatch(options?.tts_voice ?? "a", /^[- /]|\.\.|[\\\t\r\n\0]|^$/)
        }
      }),
      { numRuns: 1_000 }
    )
    assert.isAbove(taken, 10)
  })
})
