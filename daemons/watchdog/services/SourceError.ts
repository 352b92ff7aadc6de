import { Schema } from "effect"
import "./SourceTexts.ts"

/** Reason why a source of services gives no answer. */
export const SourceReason = Schema.TaggedUnion({
  /** The program or the socket does not exist on this host. */
  Absent: { what: Schema.String },
  /** It does not answer, or it reports a failure. */
  Failed: { detail: Schema.String },
  TimedOut: { what: Schema.String, milliseconds: Schema.Finite },
  TooLong: { what: Schema.String },
  /** The root helper's settings do not list the name. */
  NotListed: {},
  NoSuchService: {},
  /** There is a service, and its log cannot be read here. */
  NoLog: { detail: Schema.String }
})
export type SourceReason = typeof SourceReason.Type

/** A service or its source cannot be read or changed. */
export class SourceError extends Schema.TaggedError<SourceError>()("SourceError", { reason: SourceReason }) {
  get retryable(): boolean {
    return this.reason._tag === "Failed" || this.reason._tag === "TimedOut"
  }
  override get message(): string {
    return SourceReason.match(this.reason, {
      Absent: ({ what }) => `${what} is not there`,
      Failed: ({ detail }) => detail,
      TimedOut: ({ milliseconds, what }) => `${what} did not answer within ${milliseconds} ms`,
      TooLong: ({ what }) => `the answer of ${what} is too long`,
      NotListed: () => "the settings of the root helper do not list this service",
      NoSuchService: () => "no such service",
      NoLog: ({ detail }) => detail
    })
  }
}

export const sourceError = (reason: SourceReason): SourceError => new SourceError({ reason })
