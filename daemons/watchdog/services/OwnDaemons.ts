/** Our own daemons as services, from their `/health`. */
import { Effect } from "effect"
import { probeHere } from "#core/cli/HealthProbe.ts"
import type { Snapshot } from "./Snapshot.ts"

/** Every daemon with its port. A test compares the table with the suite. */
export const ownDaemons: ReadonlyArray<{ readonly name: string; readonly port: number }> = [
  { name: "identity", port: 8101 },
  { name: "mail-watcher", port: 8102 },
  { name: "mail-admin", port: 8103 },
  { name: "alarm-bridge", port: 8104 },
  { name: "comm-dispatcher", port: 8105 },
  { name: "sip-config", port: 8106 },
  { name: "dns-verifier", port: 8107 },
  { name: "provisioning", port: 8109 },
  { name: "status-checker", port: 8112 },
  { name: "edge-auth", port: 8113 },
  { name: "localization", port: 8110 },
  { name: "bank-fetcher", port: 8111 },
  { name: "wake-word", port: 8114 },
  { name: "watchdog", port: 8115 }
]

export const daemonNames: ReadonlySet<string> = new Set(ownDaemons.map(({ name }) => name))

/** Most problems of a daemon. Reason: a crowd of a thousand actors can fail at once. */
const maxProblems = 50

/** All daemons. Asks each at most 5 s. */
export const list = Effect.map(probeHere(ownDaemons), ({ daemons }) =>
  ownDaemons.map(({ name }) => {
    const answer = daemons[name] ?? { status: "down" as const, detail: "does not answer" }
    return snapshot(name, answer.status, answer.detail)
  })
)

const snapshot = (name: string, verdict: "ok" | "degraded" | "down", detail: string): Snapshot => {
  const silent = verdict === "down" && detail === "does not answer"
  return {
    kind: "daemon",
    name,
    state: silent ? "stopped" : "running",
    health: silent ? "none" : verdict === "ok" ? "healthy" : verdict === "degraded" ? "degraded" : "unhealthy",
    status: silent ? "does not answer" : verdict,
    description: `Signalbox, daemon ${name}`,
    startedAt: null,
    restarts: null,
    exitCode: null,
    oomKilled: false,
    pid: null,
    memory: null,
    problems: detail === "" ? [] : detail.split("; ").slice(0, maxProblems)
  }
}
