/** Interface of all channels: a delivery request in, an outcome out. A failed delivery is an outcome, not an error. */
import { keyedId } from "#core/jobs/Jobs.ts"
import { Context, type Effect, type Option, type Scope } from "effect"
import type { Channel, DeliveryKind, Severity, TargetOptions } from "../vocabulary/Exports.ts"
import type { Outcome } from "./Outcome.ts"

/** One attempt at one target. */
export interface DeliveryRequest {
  readonly targetId: number
  /** Position among the targets of the run. */
  readonly position: number
  readonly tenantId: number
  readonly runId: string
  readonly kind: DeliveryKind
  readonly eventType: string
  readonly channel: Channel
  readonly target: string
  readonly severity: Severity | null
  /** Names this target only: the alarm's subject names others, with the secrets in their addresses. */
  readonly subject: string
  /** Heading for people. */
  readonly title: string
  /** The text to speak or send; the title when the alarm has none. */
  readonly text: string
  readonly sender: string
  readonly receivedAt: string
  /** Attempt number, starting at 1. */
  readonly attempt: number
  /** ID by which the other side knows the attempt; the same after a crash (`attemptIdOf`). */
  readonly attemptId: string
  /** When the attempt was due. Unit: epoch milliseconds. */
  readonly dueAt: number
  readonly options: TargetOptions
  readonly idempotencyKey: string
  /** An earlier attempt may have arrived. */
  readonly possibleSecond: boolean
  /** Reason of the last outcome of this target; null for the first attempt. */
  readonly lastReason: string | null
  readonly partsSent: number
  /** Stores how many parts were sent. */
  readonly onPartSent: (partsSent: number) => Effect.Effect<void>
  /** Loopback address and port that this alarm's webhooks may reach in addition to public addresses. */
  readonly admit: string | null
  /** The alarm's webhooks may reach the private networks of SIGNALBOX_WEBHOOK_ALLOW_CIDRS. */
  readonly privateRanges: boolean
}

export type Deliver = (request: DeliveryRequest) => Effect.Effect<Outcome>

/**
 * A channel's answer before an attempt begins.
 * - `Go`: deliver now with `deliver`. The scope releases what the turn holds, such as the call lock.
 * - `PutOff`: not before `until` (epoch milliseconds). `away`: the channel is down; otherwise its limits are exhausted.
 */
export type Turn =
  | { readonly _tag: "Go"; readonly deliver: Deliver }
  | { readonly _tag: "PutOff"; readonly until: number; readonly reason: string; readonly away: boolean }

/** Waits for the channel before the attempt begins, so that a crash during the wait leaves nothing in doubt. */
export type TakeTurn = (request: DeliveryRequest) => Effect.Effect<Turn, never, Scope.Scope>

export class Channels extends Context.Service<
  Channels,
  {
    readonly deliver: Deliver
    /** Turns of the channels that limit their attempts. */
    readonly turns: Partial<Record<Channel, TakeTurn>>
    /** Turns that depend only on the other side (a host or chat). The job names it, so the target is not read first. */
    readonly partyTurns?: Partial<
      Record<Channel, (party: string, priority: number) => Effect.Effect<Turn, never, Scope.Scope>>
    >
    /** Asks for the outcome of an attempt whose process died, where the channel can tell. None: unknown. */
    readonly recoveries: Partial<Record<Channel, (request: DeliveryRequest) => Effect.Effect<Option.Option<Outcome>>>>
  }
>()("signalbox/comm-dispatcher/Channels") {}

/** Whether the receiver recognises a repeat by its key. */
export const isIdempotent = (channel: Channel): boolean => channel === "webhook"

/**
 * Name of one attempt, derived from ledger columns that exist before the attempt begins. A process that inherits the
 * attempt after a crash asks the other side for it by this name (a call's channel uuid). `idempotencyKey` is the
 * target's.
 */
export const attemptIdOf = (idempotencyKey: string, begun: number): string =>
  keyedId("attempt", `${idempotencyKey}:${begun}`)
