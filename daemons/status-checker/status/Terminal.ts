/** Format of statuses and times in the output of `signalbox status`. */
import { colour } from "#core/cli/Output.ts"
import type { ShownStatus } from "./Vocabulary.ts"

const colours: Readonly<Record<ShownStatus, "green" | "yellow" | "red" | "dim">> = {
  operational: "green",
  degraded_performance: "yellow",
  under_maintenance: "dim",
  unknown: "dim",
  partial_outage: "red",
  major_outage: "red"
}

/** Status in its colour, if the terminal shows colours. */
export const painted = (status: ShownStatus): string => colour(colours[status], status)

/** Output of `show` and `check` when SERVICES_FILE declares no components. */
export const noComponents = "There are no components: set SERVICES_FILE, for this command as for the daemon."
