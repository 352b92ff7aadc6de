import { expect, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import * as CallPlan from "#daemons/comm-dispatcher/channels/call/CallPlan.ts"

const request: CallPlan.CallRequest = {
  number: "+4930123456",
  gateway: "trunk-1",
  pauseMs: 4_000,
  repeat: 2,
  audio: { location: "/srv/speech/ab12.wav", durationMs: 4_800 },
  uuid: "11111111-2222-4333-8444-000000000001",
  ringTimeout: 45,
  callerId: "+4930999",
  acknowledgement: true
}
const command = (changed: Partial<CallPlan.CallRequest> = {}) =>
  Result.getOrThrow(CallPlan.make({ ...request, ...changed })).command
const problem = (changed: Partial<CallPlan.CallRequest>) => {
  const made = CallPlan.make({ ...request, ...changed })
  return Result.isFailure(made) ? made.failure : undefined
}

it("one command dials, pauses, speaks, waits for a key and hangs up, bounded in every part", () => {
  expect(command()).toBe(
    "originate {origination_uuid=11111111-2222-4333-8444-000000000001,ignore_early_media=true,originate_timeout=45,playback_terminators=none,execute_on_answer=sched_hangup:+32," +
      "origination_caller_id_number=+4930999,signalbox_message_ms=4800,signalbox_repeat=2,signalbox_pause_ms=4000,signalbox_grace_ms=3000}" +
      "sofia/gateway/trunk-1/+4930123456 " +
      "'sleep:4000,playback:/srv/speech/ab12.wav,playback:/srv/speech/ab12.wav,playback:silence_stream://3000,hangup:NORMAL_CLEARING' inline"
  )
})

it("without a key, pause or caller id there is less of it", () => {
  expect(command({ acknowledgement: false, pauseMs: 0, repeat: 1, callerId: undefined })).toMatch(
    /_grace_ms=0\}sofia\/gateway\/trunk-1\/\+4930123456 'playback:\/srv\/speech\/ab12\.wav,hangup:NORMAL_CLEARING' inline$/
  )
})

it("the commas of a tone do not part it", () => {
  expect(command({ audio: CallPlan.alarmTone, repeat: 1 })).toContain(
    "'sleep:4000,playback:tone_stream://%(600\\,400\\,880);loops=6,playback:silence_stream://3000,hangup:NORMAL_CLEARING' inline"
  )
})

it("a signed address can be played", () => {
  expect(
    command({
      audio: {
        location: "https://alarms.example.org:8080/api/v1/speech/ab12.wav?e=1795257158&s=a-b_c%3D",
        durationMs: 10
      }
    })
  ).toContain("playback:https://alarms")
})

it.each<[string, Partial<CallPlan.CallRequest>]>([
  ["E.164", { number: "030123456" }],
  ["E.164", { number: "+4930123456,user/1001" }],
  ["E.164", { number: "+49 30" }],
  ["gateway", { gateway: "a/b" }],
  ["gateway", { gateway: "" }],
  ["gateway", { gateway: "gw}sofia" }],
  ["gateway", { gateway: "gw\napi shutdown" }],
  ["audio's path", { audio: { location: "/srv/a b.wav", durationMs: 1 } }],
  ["audio's path", { audio: { location: "/srv/a'b.wav", durationMs: 1 } }],
  ["audio's path", { audio: { location: "/srv/${system rm}.wav", durationMs: 1 } }],
  ["audio's path", { audio: { location: "/srv/a,hangup.wav", durationMs: 1 } }],
  ["audio's path", { audio: { location: "/srv/../etc/passwd", durationMs: 1 } }],
  ["audio's path", { audio: { location: "relative.wav", durationMs: 1 } }],
  ["audio's path", { audio: { location: "shell_stream://id", durationMs: 1 } }],
  ["audio's path", { audio: { location: "http://h/a,b.wav", durationMs: 1 } }],
  ["uuid", { uuid: "x" }],
  ["caller id", { callerId: "+49,x=y" }],
  ["repeat", { repeat: 0 }],
  ["repeat", { repeat: 11 }],
  ["pause_ms", { pauseMs: -1 }],
  ["pause_ms", { pauseMs: 1.5 }],
  ["ring time-out", { ringTimeout: 600 }],
  ["message", { audio: { location: "/a.wav", durationMs: 0 } }]
])("refused for its %s: %j", (word, changed) => {
  expect(problem(changed)).toContain(word)
})

it("nothing of a request can end the command, a quote, a variable or a step", () => {
  const nasty = fc.oneof(
    fc.string(),
    fc.string().map((text) => `/srv/${text}.wav`),
    fc.constantFrom("a'b", "a,b", "{a=b}", "$" + "{a}", "a\nb", "a b")
  )
  fc.assert(
    fc.property(nasty, nasty, nasty, nasty, (number, gateway, location, callerId) => {
      for (const changed of [{ number }, { gateway }, { callerId }, { audio: { location, durationMs: 1_000 } }]) {
        const made = CallPlan.make({ ...request, ...changed })
        if (Result.isFailure(made)) continue
        expect(made.success.command).toMatch(
          /^originate \{[A-Za-z0-9_=+,:-]+\}sofia\/gateway\/[\w.-]+\/\+\d+ '[^'\\$\n\r ]+' inline$/
        )
      }
    })
  )
})
