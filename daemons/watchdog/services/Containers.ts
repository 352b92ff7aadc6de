/** Snapshots of containers. */
import { Effect, Option, type Scope, Stream } from "effect"
import * as Engine from "#protocols/container-engine/ContainerEngine.ts"
import type { ContainerDetails } from "#protocols/container-engine/ContainerDetails.ts"
import type { ContainerEngineError } from "#protocols/container-engine/ContainerEngineError.ts"
import * as ContainerLogs from "#protocols/container-engine/ContainerLogs.ts"
import type { RawLine } from "#protocols/container-engine/LogFrames.ts"
import { clean } from "./LogText.ts"
import type { Line, Snapshot } from "./Snapshot.ts"

/** Containers that are asked for at once. Reason: Podman waits for locks of the storage one after the other. */
const concurrency = 8

/** Maximum number of containers of a list. Reason: each costs a request of 10 ms. */
const maxListed = 500

/** All containers. One that disappears while the list is read is left out. */
export const list = (socket: string): Effect.Effect<ReadonlyArray<Snapshot>, ContainerEngineError> =>
  Effect.gen(function* () {
    const listed = yield* Engine.list(socket)
    const found = yield* Effect.forEach(
      listed.slice(0, maxListed),
      ({ name }) =>
        Effect.map(Engine.details(socket, name), (details) => Option.some(snapshot(name, details))).pipe(
          Effect.catchIf(
            ({ reason }) => reason._tag === "NoSuchContainer" || reason._tag === "BadName",
            () => Effect.succeed(Option.none<Snapshot>())
          )
        ),
      { concurrency }
    )
    return found.flatMap((one) => (Option.isSome(one) ? [one.value] : []))
  })

export const find = (socket: string, name: string): Effect.Effect<Snapshot, ContainerEngineError> =>
  Effect.map(Engine.details(socket, name), (details) => snapshot(name, details))

export const logs = (
  socket: string,
  name: string,
  options: ContainerLogs.LogOptions
): Effect.Effect<Stream.Stream<Line, ContainerEngineError>, ContainerEngineError, Scope.Scope> =>
  Effect.map(ContainerLogs.logs(socket, name, options), Stream.map(lineOf))

const lineOf = ({ at, cut, stream, text }: RawLine): Line => {
  const cleaned = clean(text)
  return { at: at?.toISOString() ?? null, stream, level: null, text: cleaned.text, cut: cut || cleaned.cut }
}

const snapshot = (name: string, details: ContainerDetails): Snapshot => ({
  kind: "container",
  name,
  state: stateOf(details),
  health: details.health,
  status: details.status.replace(/\p{Cc}/gu, ""),
  description: details.image.replace(/\p{Cc}/gu, ""),
  startedAt: details.startedAt,
  restarts: details.restarts,
  exitCode: details.running ? null : details.exitCode,
  oomKilled: details.oomKilled,
  pid: details.pid,
  memory: null,
  problems: []
})

/** A container that was stopped in order exits with 0 or with the signal of the stop: 143 (TERM) or 137 (KILL). */
const stateOf = ({ exitCode, oomKilled, running, status }: ContainerDetails): Snapshot["state"] => {
  if (status === "paused") return "stopped"
  if (status === "restarting") return "failed"
  if (running) return "running"
  if (status === "created" || status === "configured") return "stopped"
  return oomKilled || ![0, 137, 143].includes(exitCode) ? "failed" : "stopped"
}
