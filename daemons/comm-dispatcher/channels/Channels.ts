/**
 * The channels behind one question: deliver this, and say how it ended. Failing is an answer, not an error.
 */
import { keyedId } from "#core/jobs/Jobs.ts"
import { Context, type Effect, type Option, type Scope } from "effect"
import type { Channel, Severity, TargetOptions } from "../vocabulary/Exports.ts"
import type { Outcome } from "./Outcome.ts"

/** One attempt at one target. */
export interface DeliveryRequest {
  readonly targetId: number
  readonly runId: string
  readonly eventType: string
  readonly channel: Channel
  readonly target: string
  readonly severity: Severity | null
  readonly subject: string
  /** Heading for people: the subject, or the text when the subject is an alarm subject, which names the targets. */
  readonly title: string
  /** What is said or sent: the mail's text, or its subject when that is empty. */
  readonly text: string
  readonly sender: string
  readonly receivedAt: string
  /** The how-manieth, from 1. */
  readonly attempt: number
  /** Names the attempt to the other side, also after a crash (AttemptId). */
  readonly attemptId: string
  /** When the attempt was due. Unit: epoch milliseconds. */
  readonly dueAt: number
  readonly options: TargetOptions
  readonly idempotencyKey: string
  /** An earlier attempt may have arrived. */
  readonly possibleSecond: boolean
  readonly partsSent: number
  /** Notes durably that so many parts have gone out. */
  readonly onPartSent: (partsSent: number) => Effect.Effect<void>
  /** One more loopback address and port that this alarm's webhooks may reach. */
  readonly admit: string | null
}

export type Deliver = (request: DeliveryRequest) => Effect.Effect<Outcome>

/**
 * What a channel says before an attempt is begun.
 * - `Go`: now, and by this; what it holds (a place among the calls) is given back with the scope.
 * - `PutOff`: not before `until` (epoch milliseconds). `away`: because the channel does not work, not for its turn.
 */
export type Turn =
  | { readonly _tag: "Go"; readonly deliver: Deliver }
  | { readonly _tag: "PutOff"; readonly until: number; readonly reason: string; readonly away: boolean }

/** What an attempt may wait for before it is begun, and so before a crash could leave it in doubt. */
export type TakeTurn = (request: DeliveryRequest) => Effect.Effect<Turn, never, Scope.Scope>

export class Channels extends Context.Service<
  Channels,
  {
    readonly deliver: Deliver
    /** By channel, for those where an attempt waits for its turn. */
    readonly turns: Partial<Record<Channel, TakeTurn>>
    /** The same where the other side is all that counts (the host, the chat): the job names it, and the target need not be read. */
    readonly partyTurns?: Partial<
      Record<Channel, (party: string, priority: number) => Effect.Effect<Turn, never, Scope.Scope>>
    >
    /** How an attempt ended whose process died, by channel, for those that can be asked. None: it remains unknown. */
    readonly recoveries: Partial<Record<Channel, (request: DeliveryRequest) => Effect.Effect<Option.Option<Outcome>>>>
  }
>()("signalbox/comm-dispatcher/Channels") {}

/** Whether the receiver recognises a repeat by its key. */
export const isIdempotent = (channel: Channel): boolean => channel === "webhook"

/**
 * Name of one attempt, derived from ledger columns that exist before the attempt begins. A process that inherits the
 * attempt after a crash asks the other side for it by this name (a call's channel uuid). `idempotencyKey` is the target's.
 */
export const attemptIdOf = (idempotencyKey: string, begun: number): string =>
  keyedId("attempt", `${idempotencyKey}:${begun}`)
