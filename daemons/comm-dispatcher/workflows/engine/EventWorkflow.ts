/**
 * A workflow that an event begins: declared in code, one file each, and listed in Registry. Its steps run in order,
 * each at least once, and each is recorded once. A recorded step is not repeated after a crash.
 *
 * Effect's Workflow 4.1.0 keeps the state of a run in the message storage of the cluster, which has no row security.
 * Here the ledger is the state, and tenants see it. This folder has 570 lines.
 */
import type { LanguageCode } from "#core/words/TextMemory.ts"
import type { PgClient } from "@effect/sql-pg"
import { providerTenant } from "#core/auth/Caller.ts"
import { type Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { NotificationContent } from "#core/contracts/Notifications.ts"
import type { Event, EventType } from "#core/events/Events.ts"
import type { Jobs } from "#core/jobs/Jobs.ts"
import type { StepDefinition, Workflow } from "../../runs/Exports.ts"

/** The event that began a run, with decoded data. */
export interface Happened<A = unknown> extends Omit<Event, "data"> {
  readonly data: A
}

/** The tenant of a run: the event's tenant, or the provider for an operators' event. */
export const tenantOf = ({ tenantId }: Pick<Event, "tenantId">): number => tenantId ?? providerTenant

/** Services of a step. */
export type StepServices = SqlClient.SqlClient | PgClient.PgClient | Jobs

export interface StepRun<A> {
  readonly event: Happened<A>
  readonly tenantId: number
  /** Idempotency key: the same for every try of this step, and unique to the step and run. */
  readonly key: string
  /** Language of texts for people. */
  readonly language: LanguageCode
  /** Length of an hour. Unit: milliseconds; other values are for tests. */
  readonly hour: number
}

/** Result of a step. */
export interface StepDone {
  /** A line shown with the run. */
  readonly detail?: string
  /** Statements run in the transaction that records the step. They may replace the line. No I/O. */
  readonly record?: Effect.Effect<string | undefined, unknown, StepServices>
}

export interface WorkflowStep<A> extends StepDefinition {
  /** Runs outside a transaction. A failure is retried, except `StepRefused`. */
  run(run: StepRun<A>): Effect.Effect<StepDone, unknown, StepServices>
}

/** A permanent failure: the run fails without a retry. */
export class StepRefused extends Schema.TaggedError<StepRefused>()("StepRefused", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** A workflow whose steps run one after the other, each as a job. The name `alarm` is reserved. */
export interface EventWorkflow<A = unknown> extends Workflow {
  readonly data: Schema.Codec<A, unknown>
  /** Selects events. Pure. Default: all. */
  when?(event: Happened<A>): boolean
  /** Subject of a run in lists. Pure. */
  subject(event: Happened<A>): string
  /** Text of the hourly digest for `count` occurrences. Pure. */
  readonly digest?: (key: string, count: number, language: LanguageCode) => NotificationContent
  readonly steps: readonly [WorkflowStep<A>, ...ReadonlyArray<WorkflowStep<A>>]
}

/** Declares a workflow for one event type. */
export const onEvent = <S extends Schema.Codec<unknown, unknown>>(
  event: EventType<S>,
  workflow: Omit<EventWorkflow<S["Type"]>, "on" | "data">
): EventWorkflow<S["Type"]> => ({ ...workflow, on: event.type, data: event.data })
