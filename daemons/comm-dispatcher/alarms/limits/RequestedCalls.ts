/** The severity and the calls of a request, as RequestLimits checks them. Pure. */
import { Result } from "effect"
import type { AlarmPayload } from "#core/contracts/Alarm.ts"
import { type CallRequest, defaultPauseMs, defaultRepeat, type NotifyRequest } from "../CommRequests.ts"
import { parse } from "../subject/AlarmSubject.ts"
import { normaliseTarget } from "../subject/NormaliseTarget.ts"
import type { Requested, RequestedCall } from "./RequestLimits.ts"

/** Cannot fail: the request's schema has validated the target. */
const e164 = (target: string): string => Result.getOrThrow(normaliseTarget("call", target))

export const ofCall = ({ gateway, pause_ms: pauseMs, repeat, target, text }: CallRequest): Requested => ({
  severity: null,
  calls: [{ at: "payload", field: "payload.target", number: e164(target), gateway, text, pauseMs, repeat }]
})

export const ofNotify = ({ channels, severity, text }: NotifyRequest): Requested => {
  const callOf = (
    at: string,
    { gateway, pause_ms, repeat, target }: NotifyRequest["channels"][number]["fallback"][number]
  ): RequestedCall => ({
    at,
    field: `${at}.target`,
    number: e164(target),
    gateway,
    text,
    pauseMs: pause_ms ?? defaultPauseMs,
    repeat: repeat ?? defaultRepeat
  })
  return {
    severity: severity === "" ? null : severity,
    calls: channels.flatMap((item, index) => {
      const at = `payload.channels[${index}]`
      return [
        ...(item.channel === "call" ? [callOf(at, item)] : []),
        ...item.fallback.flatMap((other, step) =>
          other.channel === "call" ? [callOf(`${at}.fallback[${step}]`, other)] : []
        )
      ]
    })
  }
}

/** A trigger by the API. A subject that is no alarm requests nothing; its run is rejected. */
export const ofTrigger = ({ email_subject }: AlarmPayload): Requested => {
  const alarm = parse(email_subject)
  if (Result.isFailure(alarm)) return { severity: null, calls: [] }
  const { severity, targets } = alarm.success
  return {
    severity,
    calls: targets.flatMap(({ channel, target }) =>
      channel === "call"
        ? [
            {
              at: "payload.payload",
              field: "payload.payload.email_subject",
              number: target,
              // The length of an alarm's text is not the sender's choice; a long alarm is repeated less often.
              text: "",
              pauseMs: defaultPauseMs,
              repeat: defaultRepeat
            }
          ]
        : []
    )
  }
}
