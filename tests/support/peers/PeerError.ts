// Error of the real servers ("peers") that tests run.

import { Data } from "effect"

/**
 * A peer failed.
 * - `NotInstalled`: the package is missing, or only root can run it
 * - `NotReady`: it started, but died or did not answer in time; the message ends with its log
 * - `CommandFailed`: it refused an administrative command or a delivery
 */
export class PeerError extends Data.TaggedError("PeerError")<{
  readonly peer: string
  readonly reason: "NotInstalled" | "NotReady" | "CommandFailed"
  readonly message: string
}> {}
