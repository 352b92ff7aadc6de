/** Verdicts about real calls, from events that a real switch sent. */
import { expect, it } from "@effect/vitest"
import fc from "fast-check"
import { describe } from "vitest"
import * as CallProgress from "#daemons/comm-dispatcher/channels/call/CallProgress.ts"
import type { CallItem } from "#daemons/comm-dispatcher/channels/call/CallProgress.ts"
import { verdict, type VerdictPlan } from "#daemons/comm-dispatcher/channels/call/CallVerdict.ts"
import type { Outcome } from "#daemons/comm-dispatcher/channels/Outcome.ts"
import { captured } from "./Captured.ts"

const plan: VerdictPlan = {
  number: "+4930123",
  messageMs: 1_000,
  repeat: 2,
  pauseMs: 500,
  graceMs: 0,
  acknowledgement: false
}
const once5s: VerdictPlan = { ...plan, messageMs: 5_000, repeat: 1, pauseMs: 0 }
const judge = (items: ReadonlyArray<CallItem>, plan: VerdictPlan, from = CallProgress.initial) =>
  verdict(items.reduce(CallProgress.fold, from), plan)

const retry = (reason: string): Outcome => ({ _tag: "Retryable", reason, reached: "yes" })
const heard = (s: string): Outcome => ({ _tag: "Delivered", detail: `heard to the end, ${s} s (NORMAL_CLEARING)` })
const acknowledged: Outcome = {
  _tag: "Delivered",
  detail: "acknowledged by key 1 on +4930123",
  acknowledged: "key 1 on +4930123"
}

const cases: ReadonlyArray<readonly [string, VerdictPlan, Outcome]> = [
  ["B10-call-sleep-playback-twice-plain", plan, heard("2.0")],
  ["B11-call-sleep-playback-twice-json", plan, heard("2.0")],
  ["B11-call-sleep-playback-twice-json", { ...plan, repeat: 3 }, retry("hung up after 2.0 of 3.0 s (NORMAL_CLEARING)")],
  [
    "B11-call-sleep-playback-twice-json",
    { ...plan, messageMs: 1_500 },
    retry("hung up after 2.0 of 3.0 s (NORMAL_CLEARING)")
  ],
  ["B64-client-closes-mid-call", { ...plan, repeat: 1, pauseMs: 0 }, heard("1.0")],
  ["B39-early-media-183", { ...plan, repeat: 1, pauseMs: 0 }, heard("1.0")],
  // The switch reports `done` and 2,048 ms; in fact 0.7 s were played.
  ["B50-callee-hangs-up-mid-playback", once5s, retry("hung up after 0.7 of 5.0 s (NORMAL_CLEARING)")],
  [
    "B50-callee-hangs-up-mid-playback",
    { ...once5s, messageMs: 2_048 },
    retry("hung up after 0.7 of 2.0 s (NORMAL_CLEARING)")
  ],
  ["B56-uuid_kill-mid-playback", once5s, retry("hung up after 0.7 of 5.0 s (NORMAL_CLEARING)")],
  [
    "B53-dtmf-star-rfc2833-default-terminator",
    { ...once5s, acknowledgement: true },
    retry("hung up after 1.1 of 5.0 s (NORMAL_CLEARING)")
  ],
  [
    "B16-playback-missing-file",
    { ...plan, pauseMs: 0 },
    retry("answered, but the switch could not read the audio (FILE NOT FOUND) after 1.0 of 2.0 s")
  ],
  ["B51-dtmf-1-rfc2833-during-playback", { ...once5s, acknowledgement: true }, acknowledged],
  ["B54-dtmf-1-sip-info", { ...once5s, acknowledgement: true }, acknowledged],
  ["B54-dtmf-1-sip-info", once5s, heard("5.0")],
  ["B20-fail-user-busy", plan, retry("busy (USER_BUSY)")],
  ["B21-fail-no-answer", plan, retry("not answered (NO_ANSWER)")],
  ["B22-fail-no-answer-leg-timeout", plan, retry("not answered (ALLOTTED_TIMEOUT)")],
  ["B33-fail-silent-peer", plan, retry("not answered (NO_ANSWER)")],
  ["B24-fail-480", plan, retry("not answered (NO_USER_RESPONSE)")],
  ["B23-fail-603", plan, retry("refused (CALL_REJECTED)")],
  ["B27-fail-486-with-reason-21", plan, retry("refused (CALL_REJECTED)")],
  ["B37-fail-403", plan, retry("refused (CALL_REJECTED)")],
  ["B28-fail-user-not-registered", plan, retry("offline (USER_NOT_REGISTERED)")],
  ["B26-fail-503", plan, retry("not connected (NORMAL_TEMPORARY_FAILURE)")],
  ["B32-fail-closed-port", plan, retry("not connected (NORMAL_TEMPORARY_FAILURE)")],
  ["B37-fail-500", plan, retry("not connected (NORMAL_TEMPORARY_FAILURE)")],
  ["B37-fail-200-without-sdp", plan, retry("not connected (NORMAL_TEMPORARY_FAILURE)")],
  ["B37-fail-408", plan, retry("not connected (RECOVERY_ON_TIMER_EXPIRE)")],
  ["B25-fail-404", plan, { _tag: "Permanent", reason: "the number cannot be reached (UNALLOCATED_NUMBER)" }],
  ["B37-fail-410", plan, { _tag: "Permanent", reason: "the number cannot be reached (NUMBER_CHANGED)" }],
  ["B37-fail-484", plan, { _tag: "Permanent", reason: "the number cannot be reached (INVALID_NUMBER_FORMAT)" }],
  ["B37-fail-604", plan, { _tag: "Permanent", reason: "the number cannot be reached (NO_ROUTE_DESTINATION)" }],
  [
    "B37-fail-488",
    plan,
    { _tag: "Permanent", reason: "the switch is not set up for this call (INCOMPATIBLE_DESTINATION)" }
  ],
  [
    "B29-fail-gateway-down",
    plan,
    { _tag: "Retryable", reason: "the gateway is down (GATEWAY_DOWN)", reached: "no", fault: "channel" }
  ],
  [
    "B30-fail-invalid-gateway",
    plan,
    {
      _tag: "Retryable",
      reason: "the switch has no such gateway now (INVALID_GATEWAY)",
      reached: "no",
      fault: "channel"
    }
  ],
  [
    "B31-fail-invalid-profile",
    plan,
    { _tag: "Permanent", reason: "the switch is not set up for this call (INVALID_PROFILE)", fault: "channel" }
  ],
  [
    "B34-fail-unknown-endpoint",
    plan,
    { _tag: "Permanent", reason: "the switch is not set up for this call (CHAN_NOT_IMPLEMENTED)", fault: "channel" }
  ]
]

describe("captured calls", () => {
  for (const [name, plan, expected] of cases) {
    it(`${name} (${plan.repeat} × ${plan.messageMs} ms): ${"reason" in expected ? expected.reason : expected.detail}`, () => {
      const items = captured(name)
      expect(items.length).toBeGreaterThan(0)
      expect(judge(items, plan)).toEqual(expected)
    })
  }
})

it("the order in which events and the job's result arrive does not matter", () => {
  // Generates only the order of events, so that a counterexample is readable.
  const order = fc.constantFrom(...cases.keys()).chain((which) => {
    const size = captured(cases[which]![0]).length
    return fc.tuple(
      fc.constant(which),
      fc.shuffledSubarray(
        Array.from({ length: size }, (_, index) => index),
        { minLength: size }
      )
    )
  })
  fc.assert(
    fc.property(order, ([which, order]) => {
      const [name, plan, expected] = cases[which]!
      const items = captured(name)
      expect(
        judge(
          order.map((index) => items[index]!),
          plan
        )
      ).toEqual(expected)
    })
  )
})

it("a call that ended by our own limit was not hung up by the callee", () => {
  const limited = captured("B50-callee-hangs-up-mid-playback").map((item) =>
    item._tag === "Event" && item.headers["Hangup-Cause"] !== undefined
      ? { ...item, headers: { ...item.headers, "Hangup-Cause": "ALLOTTED_TIMEOUT" } }
      : item
  )
  expect(judge(limited, once5s)).toEqual(
    retry("ended by our limit of its length after 0.7 of 5.0 s (ALLOTTED_TIMEOUT)")
  )
})

it("a paused switch is the channel's fault, the same cause of a call that was tried is not", () => {
  const job = { _tag: "Job", cause: "DESTINATION_OUT_OF_ORDER" } as const
  const created = { _tag: "Event", name: "CHANNEL_CREATE", uuid: "u", headers: {} } as const
  expect(judge([job], plan)).toEqual({
    _tag: "Retryable",
    reason: "the switch takes no call (DESTINATION_OUT_OF_ORDER)",
    reached: "no",
    fault: "channel"
  })
  expect(judge([created, job], plan)).toEqual(retry("not connected (DESTINATION_OUT_OF_ORDER)"))
})

describe("with events missed", () => {
  const end = (name: string) =>
    captured(name).filter((item) => item._tag === "Event" && item.name === "CHANNEL_HANGUP_COMPLETE")

  it("the length of the whole call tells", () => {
    expect(judge(end("B11-call-sleep-playback-twice-json"), plan, CallProgress.found)).toEqual(heard("2.0"))
    expect(judge(end("B50-callee-hangs-up-mid-playback"), once5s, CallProgress.found)).toEqual(
      retry("hung up after 0.8 of 5.0 s (NORMAL_CLEARING)")
    )
  })

  it("the plan that the channel carries rules over the one we think it has", () => {
    const carried = end("B11-call-sleep-playback-twice-json").map((item) =>
      item._tag !== "Event"
        ? item
        : {
            ...item,
            headers: { ...item.headers, variable_signalbox_message_ms: "9000", variable_signalbox_repeat: "2" }
          }
    )
    expect(judge(carried, plan, CallProgress.found)).toEqual(retry("hung up after 2.5 of 18.0 s (NORMAL_CLEARING)"))
  })

  it("a call that ended in silence alone was not heard", () => {
    const quiet = { ...plan, pauseMs: 0, messageMs: 2_000, repeat: 1, graceMs: 3_000 }
    const ended = {
      _tag: "Event",
      name: "CHANNEL_HANGUP_COMPLETE",
      uuid: "u",
      headers: {
        "Caller-Channel-Answered-Time": "1",
        variable_billmsec: "3000",
        variable_sip_hangup_disposition: "send_bye",
        "Hangup-Cause": "NORMAL_CLEARING"
      }
    } as const
    expect(judge([ended], quiet, CallProgress.found)).toEqual(retry("hung up after 0.0 of 2.0 s (NORMAL_CLEARING)"))
  })

  it("a call whose end was not seen is in doubt", () => {
    expect(judge([{ _tag: "Lost" }], plan)).toEqual({
      _tag: "Retryable",
      reason: "the call's end is not known",
      reached: "perhaps"
    })
  })
})

it("hostile headers make no verdict fail", () => {
  const name = fc.constantFrom(
    "CHANNEL_ANSWER",
    "PLAYBACK_START",
    "PLAYBACK_STOP",
    "DTMF",
    "CHANNEL_EXECUTE_COMPLETE",
    "CHANNEL_HANGUP_COMPLETE",
    "CHANNEL_DESTROY"
  )
  const key = fc.constantFrom(
    "Hangup-Cause",
    "variable_playback_ms",
    "variable_billmsec",
    "Event-Date-Timestamp",
    "DTMF-Digit",
    "variable_signalbox_message_ms",
    "variable_signalbox_repeat"
  )
  const event = fc.record({
    _tag: fc.constant("Event" as const),
    name,
    uuid: fc.constant("u"),
    headers: fc.dictionary(key, fc.oneof(fc.string(), fc.nat().map(String)))
  })
  fc.assert(
    fc.property(fc.array(event), (items) => {
      const outcome = judge(items, plan)
      expect("reason" in outcome ? outcome.reason : outcome.detail).not.toMatch(/NaN|Infinity|undefined/)
    })
  )
})
