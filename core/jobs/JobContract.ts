/**
 * Declaration of a kind of job, as senders and workers share it in core/contracts, and the claim that a worker holds.
 * core/jobs/Jobs.ts is the service.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { createHash } from "node:crypto"
import type { SqlError } from "effect/sql"

/** Declaration of a kind of job, kept in core/contracts. */
export interface JobType<out Name extends string, A, I = unknown> {
  readonly queue: Name
  readonly data: Schema.Codec<A, I>
}

/** Declares a kind of job: its queue (`alarm.trigger`) and the shape of its data. */
export const define = <const Name extends string, A, I>(
  queue: Name,
  data: Schema.Codec<A, I>
): JobType<Name, A, I> => ({ queue, data })

/** Proof that a feature declared the queue `Name`. A worker requires it. */
export interface Queue<out Name extends string> {
  readonly queue: Name
}

const queueKey = <Name extends string>() =>
  Context.Service<Queue<Name>, ReadonlySet<string>>("signalbox/core/jobs/Queues")

/** The queues that a feature declared, for its layer. */
export const declaredQueues = <Name extends string>(
  types: ReadonlyArray<{ readonly queue: Name }>
): Layer.Layer<Queue<Name>> => Layer.succeed(queueKey<Name>(), new Set(types.map(({ queue }) => queue)))

/** Succeeds where the surrounding feature declared the queue. */
export const isDeclared = <Name extends string>(): Effect.Effect<ReadonlySet<string>, never, Queue<Name>> =>
  Effect.service(queueKey<Name>())

/** NOTIFY topic of a queue. */
export const topicOf = (queue: string): string => `queue ${queue}`

/**
 * NOTIFY channel on which the job engine names a queue with new work. Source: pg-boss, notifyChannelSql for schema
 * pgboss.
 */
export const engineChannel = `pgboss_${createHash("sha224").update("pgboss").digest("hex").slice(0, 24)}`

/** A claimed job, as the handler gets it. */
export interface ClaimedJob<A> {
  readonly id: string
  readonly data: A
  /** Number of earlier claims; 0 for the first. */
  readonly retries: number
  /**
   * Completes this claim in the surrounding transaction. Fails with `ClaimLost` when the claim is no longer ours, which
   * rolls back the result. Without a call the worker completes the job after the handler.
   */
  readonly complete: Effect.Effect<void, SqlError.SqlError | ClaimLost>
  /** For `Jobs.completeAll`. */
  readonly claim: Claim
}

/** A claim in the engine's terms. */
export interface Claim {
  readonly queue: string
  readonly job: { readonly id: string; readonly data: unknown; readonly retryCount: number }
  completed: boolean
}

/** Another process holds the job by now; our result must not be recorded. */
export class ClaimLost extends Schema.TaggedError<ClaimLost>()("ClaimLost", {
  queue: Schema.String,
  id: Schema.String
}) {
  override get message() {
    return `job ${this.id} of ${this.queue} is no longer claimed by this process`
  }
}

export interface Worker<Name extends string, A, I, R> {
  readonly type: JobType<Name, A, I>
  /**
   * A typed failure or a defect returns the job to the queue (standard backoff, up to a minute). Defects are logged.
   */
  readonly handle: (job: ClaimedJob<A>) => Effect.Effect<unknown, unknown, R>
  /** Maximum number of jobs in work. Default 1. */
  readonly concurrency?: number
  /** Maximum number of jobs of one group in work, in the fleet. Default: no limit. */
  readonly perGroup?: number
  /** Workers that only jobs of at least this priority may use. Default: none. */
  readonly reserved?: { readonly workers: number; readonly priority: number }
}
