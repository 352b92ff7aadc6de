/** Our own daemons as services, from their `/health`. */
import { Effect } from "effect"
import { probeHere } from "#core/cli/HealthProbe.ts"
import type { KnownDaemon } from "#core/daemon/KnownDaemons.ts"
import type { Snapshot } from "./Snapshot.ts"

/** Maximum number of problems of a daemon. Reason: a crowd of a thousand actors can fail at once. */
const maxProblems = 50

/** All daemons. Asks each at most 5 s. */
export const list = (known: ReadonlyArray<KnownDaemon>) =>
  Effect.map(probeHere(known), ({ daemons }) =>
    known.map(({ name }) => {
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
