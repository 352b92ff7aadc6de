/** Checks of containers: each one by its state and health, and the engine itself. */
import { existsSync } from "node:fs"
import { Duration, Effect } from "effect"
import { inspect, list } from "#protocols/container-engine/ContainerEngine.ts"
import type { ContainerState } from "#protocols/container-engine/ContainerState.ts"
import type { BuiltCheck, Reading, Source } from "../BuiltCheck.ts"
import { noThresholds } from "../Thresholds.ts"

/** Limit of one question to the engine. */
const patience = Duration.seconds(5)

/** Pure. Source: interface document 3 §2.5. A running container without a health check is well. */
export const judge = ({ exitCode, health, oomKilled, running, status }: ContainerState): Reading => {
  const bad = (detail: string): Reading => ({ value: null, status: "critical", detail })
  if (!running) {
    if (oomKilled) return bad("stopped: out of memory")
    return bad(status === "exited" ? `stopped with exit code ${exitCode}` : status)
  }
  if (status !== "running") return bad(status)
  if (health === "unhealthy") return bad("unhealthy")
  return { value: null, detail: health === "none" ? "running" : health }
}

/** `required`: containers that must exist. */
export const containers = (host: string, socketPath: string, required: ReadonlyArray<string>): Source => {
  const engine: BuiltCheck = {
    key: `${host} container engine`,
    kind: "engine",
    group: `host ${host}`,
    unit: null,
    thresholds: noThresholds,
    version: socketPath,
    probe: Effect.match(list(socketPath, patience), {
      onFailure: ({ message }): Reading => ({ value: null, status: "critical", detail: message }),
      onSuccess: (all) => ({
        value: null,
        detail: `answers, ${all.length} containers`,
        measurements: { containers: all.length }
      })
    })
  }
  const containerCheck = (name: string): BuiltCheck => ({
    key: `${host} container ${name}`.slice(0, 200),
    kind: "container",
    group: `container ${name}`.slice(0, 200),
    unit: null,
    thresholds: noThresholds,
    version: socketPath,
    // An engine that does not answer says nothing about its containers, and has a check of its own.
    whenTimedOut: "unknown",
    probe: Effect.match(inspect(socketPath, name, patience), {
      onFailure: ({ message, reason }): Reading => ({
        value: null,
        status: reason._tag === "NoSuchContainer" ? "critical" : "unknown",
        detail: message
      }),
      onSuccess: judge
    })
  })
  return {
    name: "containers",
    kinds: ["container", "engine"],
    scope: "host",
    discover: (known) =>
      Effect.suspend(() => {
        // A machine without an engine has none to check.
        const isKnown = required.length > 0 || known.length > 0
        if (!isKnown && !existsSync(socketPath)) return Effect.succeed([])
        const checks = (names: ReadonlyArray<string>) => [
          engine,
          ...[...new Set([...required, ...names])].map(containerCheck)
        ]
        const prefix = `${host} container `
        return Effect.match(list(socketPath, patience), {
          // Which containers there are is not known now, so the stored ones go on.
          onFailure: () =>
            checks(
              known.flatMap((key) => (key !== engine.key && key.startsWith(prefix) ? [key.slice(prefix.length)] : []))
            ),
          onSuccess: (all) => checks(all.map(({ name }) => name))
        })
      })
  }
}
