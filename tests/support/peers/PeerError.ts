// The one error of the real servers that tests run.

import { Data } from "effect"

/**
 * A peer did not do what the test needs of it.
 * - `NotInstalled`: the package is missing, or only root can run it
 * - `NotReady`: started, but did not answer in time or died; the message ends with its log
 * - `CommandFailed`: an administrative command or a delivery was refused
 */
export class PeerError extends Data.TaggedError("PeerError")<{
  readonly peer: string
  readonly reason: "NotInstalled" | "NotReady" | "CommandFailed"
  readonly message: string
}> {}
