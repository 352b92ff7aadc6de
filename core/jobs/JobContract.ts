/**
 * What a job is to those who send and work on it: the declaration kept in core/contracts, and the claim in a worker's
 * hands. Types only; core/Jobs is the service.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { createHash } from "node:crypto"
import type { SqlError } from "effect/sql"

/** The declaration of a kind of job, kept in core/contracts. */
export interface JobType<out Name extends string, A, I = unknown> {
  readonly queue: Name
  readonly data: Schema.Codec<A, I>
}

/** Declares a kind of job: its queue (`alarm.trigger`) and the shape of its data. */
export const define = <const Name extends string, A, I>(
  queue: Name,
  data: Schema.Codec<A, I>
): JobType<Name, A, I> => ({ queue, data })

/** Proof that a feature declared the queue `Name`, which a worker requires. */
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

/** The topic by which work in a queue is announced. */
export const topicOf = (queue: string): string => `queue ${queue}`

/**
 * The channel on which the job engine names a queue that got work. Source: pg-boss, notifyChannelSql for schema pgboss.
 */
export const engineChannel = `pgboss_${createHash("sha224").update("pgboss").digest("hex").slice(0, 24)}`

/** A claimed job in its worker's hands. */
export interface ClaimedJob<A> {
  readonly id: string
  readonly data: A
  /** How often it was claimed before: 0 for the first. */
  readonly retries: number
  /**
   * Completes this claim with the surrounding transaction; fails with `ClaimLost` when the claim is no longer ours,
   * which rolls the result back. A handler that ends without it has its job completed by the frame.
   */
  readonly complete: Effect.Effect<void, SqlError.SqlError | ClaimLost>
  /** What `Jobs.completeAll` goes by. */
  readonly claim: Claim
}

/** A claim as the engine knows it. */
export interface Claim {
  readonly queue: string
  readonly job: { readonly id: string; readonly data: unknown; readonly retryCount: number }
  completed: boolean
}

/** The job went to somebody else while we worked on it; what we did must not be recorded. */
export class ClaimLost extends Schema.TaggedError<ClaimLost>()("ClaimLost", {
  queue: Schema.String,
  id: Schema.String
}) {
  override get message() {
    return `job ${this.id} of ${this.queue} is no longer ours`
  }
}

export interface Worker<Name extends string, A, I, R> {
  readonly type: JobType<Name, A, I>
  /** A typed failure puts the job back (standard backoff, up to a minute); so does a defect, which is logged too. */
  readonly handle: (job: ClaimedJob<A>) => Effect.Effect<unknown, unknown, R>
  /** Jobs in work at once. Default 1. */
  readonly concurrency?: number
}
