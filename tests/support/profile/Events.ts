// Events of a profiled test run (`npm test -- --profile`): one JSON line per event, appended to the file that an
// environment variable names. Without the variable nothing is written.

import fs from "node:fs"

/** Environment variable with the path of the event file. Set by scripts/test.ts. */
export const profileVariable = "SIGNALBOX_TEST_PROFILE"
/** Environment variable with the cgroup of the run. Unset: no cgroup could be made. */
export const cgroupVariable = "SIGNALBOX_TEST_PROFILE_CGROUP"

/** Work that processor time is spent on. */
export type Cause = (typeof causes)[number]

/** All causes, in the order of the report. */
export const causes = [
  "transform and start of vitest",
  "worker start",
  "import",
  "setup hooks",
  "tests",
  "worker exit",
  "shared Postgres",
  "own Postgres servers",
  "browsers",
  "servers",
  "daemons as processes",
  "other programs"
] as const

/** Point of a worker's way through a test file. `cpu`: processor time of the worker process so far, in seconds. */
export interface Mark {
  readonly e: "setup" | "collected" | "tests" | "end"
  readonly file: string
  readonly pid: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly cpu: number
  /** Processor time of ended and awaited child processes. Unit: seconds. */
  readonly children: number
  /** Processor time of the worker's groups so far, at the start and end of a file. Missing without control groups. */
  readonly groups?: WorkerUsage
}

/** Processor time of a worker's control groups. Unit: seconds. */
export interface WorkerUsage {
  /** The worker since it was moved into its group, and programs that were moved into no other one. */
  readonly own: number
  /** Its child processes and their children. */
  readonly children: Readonly<Partial<Record<Cause, number>>>
}

export type ProfileEvent =
  | Mark
  /** A suite started, or migrations found in a database at its end. */
  | { readonly e: "count"; readonly file: string; readonly what: "suites" | "migrations"; readonly n: number }
  /** A database was created on the shared server. */
  | { readonly e: "database"; readonly file: string; readonly name: string }
  /** A process started. `seconds`: processor time, for a process that the worker blocks on. */
  | {
      readonly e: "spawn"
      readonly file: string
      readonly cause: Cause
      readonly kind: string
      readonly seconds?: number
    }
  /** Durations that vitest measured. Unit: seconds. */
  | {
      readonly e: "module"
      readonly file: string
      readonly imports: number
      readonly setup: number
      readonly tests: number
    }

// Taken before IoGuard wraps it: an event inside a transaction is no violation.
const append = fs.appendFileSync

const target = process.env[profileVariable]

/** Whether this run is profiled. */
export const isProfiled = target !== undefined

/** Appends one event. Lines are short, so appends of several processes do not mix. */
export const write = (event: ProfileEvent): void => {
  if (target !== undefined) append(target, `${JSON.stringify(event)}\n`)
}

/** Path of the running test file; empty outside of a worker. */
export const currentFile = (): string =>
  (globalThis as { readonly __vitest_worker__?: { readonly filepath?: string } }).__vitest_worker__?.filepath ?? ""

/** Name of the group of the shared Postgres, below the group of the run. */
export const postgresGroup = "postgres"

/** Records the start of a suite. */
export const countSuite = (): void => write({ e: "count", file: currentFile(), what: "suites", n: 1 })
