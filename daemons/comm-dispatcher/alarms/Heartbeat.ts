/**
 * The test message that people send to see that the messenger is there. It goes by the channel itself and not by the
 * ledger: it is worth nothing later.
 */
import { Clock, Context, DateTime, Duration, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { NotConfigured } from "#core/http/Problem.ts"
import { Channels, CommHealth, type DeliveryRequest, type Outcome } from "../channels/Exports.ts"
import type { HeartbeatResponse } from "./CommAnswers.ts"
import type { AlarmConfig } from "./Settings.ts"

/** How long the message may take. Reason: somebody waits for the answer; the bot API has 10 s for one call. */
export const sendTimeout = Duration.seconds(15)

export class Heartbeat extends Context.Service<
  Heartbeat,
  {
    /** Sends, then asks for health; a message that did not go is an answer. */
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
          return { ...answerOf(outcome), health: yield* health.report }
        })
      })
    })
  )

const missing = (variable: string) =>
  Effect.fail(new NotConfigured({ settings: [variable], detail: `Set ${variable} and start again.` }))

const late: Outcome = {
  _tag: "Retryable",
  reason: `no answer within ${Duration.toSeconds(sendTimeout)} s`,
  reached: "perhaps"
}

/** In the channel's turn, where it has turns; a heartbeat does not wait for a later one. */
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
    runId: id,
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
    partsSent: 0,
    onPartSent: () => Effect.void,
    admit: null
  }
}

const answerOf = (
  outcome: Outcome
): { readonly sent: boolean; readonly message_id?: number; readonly reason?: string } => {
  if (outcome._tag !== "Delivered") return { sent: false, reason: outcome.reason }
  const id = /^message (\d+)/.exec(outcome.detail)?.[1]
  return { sent: true, ...(id === undefined ? {} : { message_id: Number(id) }) }
}
