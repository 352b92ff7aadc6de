/** A command that daemons add to the command line, of any input. */
import type { Command } from "effect/cli"
import type { Fleet } from "./Fleet.ts"

// Command is invariant in its input, so no typed form holds commands of different inputs.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyCommand = Command.Command<any, any, any, any, Fleet | Command.Environment>
