/**
 * The channels behind one question: deliver this, and say how it ended. Failing is an answer, not an error.
 */
import { Context, type Effect } from "effect"
import type { Channel, Severity } from "./AlarmSubject.ts"
import type { Outcome } from "./channels/Outcome.ts"

/** One attempt at one target. */
export interface DeliveryRequest {
  readonly runId: string
  readonly eventType: string
  readonly channel: Channel
  readonly target: string
  readonly severity: Severity | null
  readonly subject: string
  /** What is said or sent: the mail's text, or its subject when that is empty. */
  readonly text: string
  readonly sender: string
  readonly receivedAt: string
  /** The how-manieth, from 1. */
  readonly attempt: number
  readonly idempotencyKey: string
  /** An earlier attempt may have arrived. */
  readonly possibleSecond: boolean
  readonly partsSent: number
  /** Notes durably that so many parts have gone out. */
  readonly onPartSent: (partsSent: number) => Effect.Effect<void>
  /** One more loopback address and port that this alarm's webhooks may reach. */
  readonly admit: string | null
}

export class Channels extends Context.Service<Channels, {
  readonly deliver: (request: DeliveryRequest) => Effect.Effect<Outcome>
}>()("signalbox/comm-dispatcher/Channels") {}

/** Whether the receiver recognises a repeat by its key. */
export const isIdempotent = (channel: Channel): boolean => channel === "webhook"
