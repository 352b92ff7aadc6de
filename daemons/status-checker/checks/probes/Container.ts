/** Checks whether a container runs and is healthy, by its engine. */
import { type Duration, Effect } from "effect"
import { inspect } from "#protocols/container-engine/ContainerEngine.ts"
import type { ContainerState } from "#protocols/container-engine/ContainerState.ts"
import type { ProbeResult } from "#core/probes/ProbeResult.ts"
import { finding } from "#core/probes/Finding.ts"

export const probe = (socketPath: string, name: string, timeout: Duration.Duration): Effect.Effect<ProbeResult> =>
  Effect.match(inspect(socketPath, name, timeout), {
    onSuccess: judge,
    // An engine that does not answer says nothing about its containers.
    onFailure: ({ message, reason }) =>
      finding("container", reason._tag === "NoSuchContainer" ? "down" : "unknown", message)
  })

/** Pure. A running container without a health check counts as healthy. */
export const judge = ({ exitCode, health, oomKilled, running, status }: ContainerState): ProbeResult => {
  const found = (outcome: ProbeResult["outcome"], detail: string) => finding("container", outcome, detail)
  if (!running)
    return found(
      "down",
      oomKilled ? `${status}: out of memory` : status === "exited" ? `exited with ${exitCode}` : status
    )
  if (status !== "running") return found("down", status)
  return {
    none: found("up", "running"),
    healthy: found("up", "healthy"),
    starting: found("degraded", "starting"),
    unhealthy: found("down", "unhealthy")
  }[health]
}
