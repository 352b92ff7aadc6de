/** Opens and closes incidents. Other features report what they see; alerting decides who is told, when and how. */
import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"

/** What a check, a backup or a restart found. */
export interface AlertReport {
  /** Permanent name of what is checked: `disk /var`, `backup nightly`. At most 200 characters. */
  readonly key: string
  /** Name of the cause that alerts share, such as a host or a container. At most 200 characters. */
  readonly group: string
  readonly severity: "warning" | "critical"
  /** One line in English, at most 500 characters; longer text is cut. */
  readonly summary: string
  /** More lines for the list and the mail, at most 4,000 characters; longer text is cut. No secrets. */
  readonly detail?: string
  /** Whether it fails now. Hysteresis is up to the caller: each change of this value is a change of the incident. */
  readonly failing: boolean
  /** Time of the finding. */
  readonly at: Date
}

export class Alerts extends Context.Service<
  Alerts,
  {
    /**
     * Opens an incident when `failing` and none is open for `key`; closes the open one when not `failing`. Idempotent.
     * Joins the surrounding transaction, where there is one.
     */
    readonly report: (report: AlertReport) => Effect.Effect<void, SqlError.SqlError>
    /** The same while Postgres is away: people are told directly, and Postgres gets the incident when it is back. */
    readonly reportWithoutDatabase: (report: AlertReport) => Effect.Effect<void>
    /** `report`, and `reportWithoutDatabase` when Postgres is away. Call it outside of transactions. */
    readonly tell: (report: AlertReport) => Effect.Effect<void, SqlError.SqlError>
    /** Closes the open incident of a check that was removed. Joins the surrounding transaction. */
    readonly remove: (key: string, at: Date) => Effect.Effect<void, SqlError.SqlError>
  }
>()("signalbox/watchdog/Alerts") {}

/** Thin: records nothing yet. */
export const alerts: Layer.Layer<Alerts> = Layer.succeed(Alerts, {
  report: () => Effect.void,
  reportWithoutDatabase: () => Effect.void,
  tell: () => Effect.void,
  remove: () => Effect.void
})
