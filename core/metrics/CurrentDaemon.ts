/**
 * Name of the daemon that is being built or that runs the current fiber, for the label `daemon` of metrics and for
 * spans. `core` is the part of a process that all its daemons share. `forDaemon` (log/Log.ts) sets the name.
 */
import { Context } from "effect"

export const CurrentDaemon = Context.Reference<string>("signalbox/core/CurrentDaemon", { defaultValue: () => "core" })
