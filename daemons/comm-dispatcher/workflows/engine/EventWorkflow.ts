/**
 * What a workflow is that an event begins. It is declared in code, one file each, and listed in Registry. Its steps run in order, each at
 * least once and recorded once; what a step has recorded is not done again, whatever dies in between.
 */
import type { PgClient } from "@effect/sql-pg"
import { type Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { NotificationContent } from "#core/contracts/Notifications.ts"
import type { Event, EventType } from "#core/events/Events.ts"
import type { Jobs } from "#core/jobs/Jobs.ts"

/** The event a run was begun by, its data decoded. */
export interface Happened<A = unknown> extends Omit<Event, "data"> {
  readonly data: A
}

/** Whose run it is: the event's tenant; of an event for operators the provider. */
export const tenantOf = ({ tenantId }: Pick<Event, "tenantId">): number => tenantId ?? provider

/** The tenant of the provider itself. */
const provider = 1

/** What a step may use: its own I/O, and in the end the database. */
export type StepServices = SqlClient.SqlClient | PgClient.PgClient | Jobs

export interface StepRun<A> {
  readonly event: Happened<A>
  readonly tenantId: number
  /** The same at every try of this step of this run, and of no other: the other side knows by it what it has done already. */
  readonly key: string
  /** Of what people read. */
  readonly language: "de" | "en"
  /** Length of an hour. Unit: milliseconds; another one is for tests. */
  readonly hour: number
}

/** What a step has done. */
export interface StepDone {
  /** A line for whoever looks at the run. */
  readonly detail?: string
  /** Statements that belong to it, run in the transaction that records the step; answers the line, where that is known only then. No I/O. */
  readonly record?: Effect.Effect<string | undefined, unknown, StepServices>
}

export interface WorkflowStep<A> {
  /** As the interface shows it: `notify.admins`. */
  readonly name: string
  /** Runs with no transaction open. A failure is tried again, but for a `StepRefused`. */
  run(run: StepRun<A>): Effect.Effect<StepDone, unknown, StepServices>
}

/** Trying the step again cannot help: the run has failed. */
export class StepRefused extends Schema.TaggedError<StepRefused>()("StepRefused", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

export interface EventWorkflow<A = unknown> {
  /** Lasting: runs in the ledger name it. `alarm` is taken. */
  readonly name: string
  readonly title: string
  /** `*`, a type, or a prefix such as `order.*`. */
  readonly on: string
  readonly data: Schema.Codec<A, unknown>
  /** Which of these events it is for. Pure. Default: all. */
  when?(event: Happened<A>): boolean
  /** The line of a run in lists. Pure. */
  subject(event: Happened<A>): string
  /** Of one that tells by Digest: what is told of `count` of a kind. Pure. */
  readonly digest?: (key: string, count: number, language: "de" | "en") => NotificationContent
  readonly steps: readonly [WorkflowStep<A>, ...ReadonlyArray<WorkflowStep<A>>]
}

/** Declares a workflow on one type of event. */
export const onEvent = <S extends Schema.Codec<unknown, unknown>>(
  event: EventType<S>,
  workflow: Omit<EventWorkflow<S["Type"]>, "on" | "data">
): EventWorkflow<S["Type"]> => ({ ...workflow, on: event.type, data: event.data })
