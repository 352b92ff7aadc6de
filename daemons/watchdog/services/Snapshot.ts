/** What is known about a service, without its source. */
import type { Health, Kind, State } from "./ServiceKinds.ts"

export interface Snapshot {
  readonly kind: Kind
  /** Without prefix. */
  readonly name: string
  readonly state: State
  readonly health: Health
  readonly status: string
  readonly description: string
  readonly startedAt: Date | null
  readonly restarts: number | null
  readonly exitCode: number | null
  readonly oomKilled: boolean
  readonly pid: number | null
  /** Unit: bytes. */
  readonly memory: number | null
  readonly problems: ReadonlyArray<string>
}

/** One line of a log, cleaned. */
export interface Line {
  readonly at: string | null
  readonly stream: "stdout" | "stderr" | "journal"
  readonly level: "error" | "warning" | "info" | "debug" | null
  readonly text: string
  readonly cut: boolean
}

/** Whether the service does its work. A degraded one does, and a restart would not help it. Pure. */
export const conditionOf = ({ health, state }: Pick<Snapshot, "state" | "health">): "well" | "pending" | "ill" =>
  state === "starting" || (state === "running" && health === "starting")
    ? "pending"
    : state === "running"
      ? health === "unhealthy"
        ? "ill"
        : "well"
      : state === "unknown"
        ? "pending"
        : "ill"
