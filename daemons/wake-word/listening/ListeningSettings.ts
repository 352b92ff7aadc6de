import { availableParallelism } from "node:os"
import * as Settings from "#core/config/Settings.ts"
import { extractorSettings } from "../engine/Exports.ts"

/** Maximum number of threads of inference. Reason: more than any machine of a small provider has cores for it. */
const mostThreads = 64

export const listeningSettings = {
  ...extractorSettings,
  origins: Settings.list("SIGNALBOX_WAKE_WORD_ORIGINS", {
    doc:
      "Hosts whose pages may open the audio socket without a ticket, *.example.org for all subdomains. They hear the " +
      "model of the provider's tenant",
    default: [],
    check: (item) =>
      /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(item)
        ? undefined
        : `${item} is not a lower-case host name such as www.example.org`
  }),
  open: Settings.flag("SIGNALBOX_WAKE_WORD_OPEN", {
    doc: "Whether any client may open the audio socket without a ticket. It hears the model of the provider's tenant",
    default: false
  }),
  maxConnections: Settings.integer("SIGNALBOX_WAKE_WORD_CONNECTIONS", {
    doc: "Maximum number of audio connections of one process",
    unit: "connections",
    default: 500,
    min: 1,
    max: 3_000
  }),
  maxPerTenant: Settings.integer("SIGNALBOX_WAKE_WORD_CONNECTIONS_PER_TENANT", {
    doc: "Maximum number of audio connections of one tenant in one process",
    unit: "connections",
    default: 200,
    min: 1,
    max: 3_000
  }),
  threads: Settings.integer("SIGNALBOX_WAKE_WORD_THREADS", {
    doc: "Maximum number of threads that compute scores; 0: one less than the processor has cores, at least one",
    unit: "threads",
    default: 0,
    min: 0,
    max: mostThreads
  })
}

export type ListeningConfig = Settings.Values<typeof listeningSettings>

/** Number of threads. */
export const threadsOf = ({ threads }: ListeningConfig): number =>
  threads > 0 ? threads : Math.max(1, Math.min(mostThreads, availableParallelism() - 1))
