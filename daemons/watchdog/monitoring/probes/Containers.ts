/** Checks of containers: each one by its state and health, and the engine itself. */
import { existsSync } from "node:fs"
import { Duration, Effect } from "effect"
import { inspect, list } from "#protocols/container-engine/ContainerEngine.ts"
import type { ContainerEngineReason } from "#protocols/container-engine/ContainerEngineError.ts"
import type { ContainerState } from "#protocols/container-engine/ContainerState.ts"
import type { BuiltCheck, Reading, Source } from "../BuiltCheck.ts"
import { noThresholds } from "../Thresholds.ts"
import { type Said, say } from "../words/Said.ts"

/** Limit of one question to the engine. */
const patience = Duration.seconds(5)

/** Pure. Source: interface document 3 §2.5. A running container without a health check is well. */
export const judge = ({ exitCode, health, oomKilled, running, status }: ContainerState): Reading => {
  const bad = (said: Said): Reading => ({ value: null, status: "critical", ...said })
  if (!running) {
    if (oomKilled) return bad(say("container_out_of_memory", {}))
    return bad(
      status === "exited" ? say("container_exited", { exit_code: exitCode }) : say("container", { state: status })
    )
  }
  if (status !== "running") return bad(say("container", { state: status }))
  if (health === "unhealthy") return bad(say("container", { state: health }))
  return { value: null, ...say("container", { state: health === "none" ? "running" : health }) }
}

/** Why the engine told nothing. Pure. */
export const sayEngine = (reason: ContainerEngineReason): Said => {
  switch (reason._tag) {
    case "Unreachable":
      return reason.code === "ENOENT" ? say("engine_absent", {}) : say("engine_unusable", { error: reason.code })
    case "TimedOut":
      return say("engine_timed_out", { milliseconds: reason.milliseconds })
    case "NoSuchContainer":
      return say("container_missing", {})
    case "BadName":
      return say("container_bad_name", {})
    case "Refused":
      return say("engine_refused", { status: reason.status })
    case "BadAnswer":
      return say("engine_unclear", { why: reason.why })
  }
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
      onFailure: ({ reason }): Reading => ({ value: null, status: "critical", ...sayEngine(reason) }),
      onSuccess: (all) => ({
        value: null,
        ...say("engine", { containers: all.length }),
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
      onFailure: ({ reason }): Reading => ({
        value: null,
        status: reason._tag === "NoSuchContainer" ? "critical" : "unknown",
        ...sayEngine(reason)
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
