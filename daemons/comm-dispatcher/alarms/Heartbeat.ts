/**
 * Sends a test message through the messenger. The message bypasses the ledger, because a late test message is useless.
 */
import { Clock, Context, DateTime, Duration, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { providerTenant } from "#core/auth/Caller.ts"
import { NotConfigured } from "#core/http/Problem.ts"
import { Channels, CommHealth, type DeliveryRequest, type Outcome } from "../channels/Exports.ts"
import type { HeartbeatResponse } from "./CommAnswers.ts"
import type { AlarmConfig } from "./Settings.ts"

/** Time limit of the message. Reason: a person waits for the answer; one call of the bot API takes up to 10 s. */
export const sendTimeout = Duration.seconds(15)

export class Heartbeat extends Context.Service<
  Heartbeat,
  {
    /** Sends the message, then asks for health. A message that was not sent is an answer, not an error. */
    readonly send: Effect.Effect<typeof HeartbeatResponse.Type, NotConfigured>
  }
>()("signalbox/comm-dispatcher/Heartbeat") {}

export const layer = (config: AlarmConfig): Layer.Layer<Heartbeat, never, Channels | CommHealth> =>
  Layer.effect(
    Heartbeat,
    Effect.gen(function* () {
      const channels = yield* Channels
      const health = yield* CommHealth
      return Heartbeat.of({
        send: Effect.gen(function* () {
          const chat = config.heartbeatChat
          if (chat === undefined) return yield* missing("SIGNALBOX_HEARTBEAT_CHAT_ID")
          if (config.messengerToken === undefined) return yield* missing("SIGNALBOX_MESSENGER_TOKEN")
          const outcome = yield* deliver(channels, request(chat, yield* Clock.currentTimeMillis)).pipe(
            Effect.timeoutOrElse({ duration: sendTimeout, orElse: () => Effect.succeed(late) })
          )
          return { ...answerOf(outcome), health: yield* health.probe }
        })
      })
    })
  )

const missing = (variable: string) =>
  Effect.fail(new NotConfigured({ settings: [variable], detail: `Set ${variable}.` }))

const late: Outcome = {
  _tag: "Retryable",
  reason: `no answer within ${Duration.toSeconds(sendTimeout)} s`,
  reached: "perhaps"
}

/** Takes the channel's turn when the channel has turns. A heartbeat does not wait for a later turn. */
const deliver = (channels: Channels["Service"], request: DeliveryRequest): Effect.Effect<Outcome> =>
  Effect.scoped(
    Effect.gen(function* () {
      const turn = yield* (
        channels.turns.messenger?.(request) ?? Effect.succeed({ _tag: "Go" as const, deliver: channels.deliver })
      )
      return turn._tag === "Go"
        ? yield* turn.deliver(request)
        : ({ _tag: "Retryable", reason: turn.reason, reached: "no" } satisfies Outcome as Outcome)
    })
  )

const request = (chat: string, now: number): DeliveryRequest => {
  const id = randomUUID()
  const at = DateTime.formatIso(DateTime.makeUnsafe(now))
  return {
    targetId: 0,
    position: 0,
    tenantId: providerTenant,
    runId: id,
    kind: "request",
    eventType: "comm.heartbeat",
    channel: "messenger",
    target: chat,
    severity: null,
    subject: "",
    title: "",
    text: `Heartbeat of ${hostname()} at ${at}: the messenger works.`,
    sender: "",
    receivedAt: at,
    attempt: 1,
    attemptId: id,
    dueAt: now,
    options: {},
    idempotencyKey: id,
    possibleSecond: false,
    lastReason: null,
    partsSent: 0,
    onPartSent: () => Effect.void,
    admit: null,
    privateRanges: false
  }
}

const answerOf = (
  outcome: Outcome
): { readonly sent: boolean; readonly message_id?: number; readonly reason?: string } => {
  if (outcome._tag !== "Delivered") return { sent: false, reason: outcome.reason }
  const id = /^message (\d+)/.exec(outcome.detail)?.[1]
  return { sent: true, ...(id === undefined ? {} : { message_id: Number(id) }) }
}
