/**
 * Client of a Docker-compatible engine over its unix socket: lists containers, asks for the state of one, and restarts
 * one. Opens one socket per request and keeps no state. Logs are in ContainerLogs.ts. Source: Docker Engine API 1.44;
 * tested with Podman 4.3.1.
 *
 * The library dockerode 5.0.1 has 5,100 lines and depends on gRPC and protobufjs; this folder has 500. Its result
 * contains the environment of the container, which may hold secrets.
 */
import { Duration, Effect, Result } from "effect"
import { ContainerEngineError, type ContainerEngineReason } from "./ContainerEngineError.ts"
import { type ContainerDetails, readDetails } from "./ContainerDetails.ts"
import { type ListedContainer, readList } from "./ContainerList.ts"
import { type ContainerState, missing, readInspection } from "./ContainerState.ts"
import { type Answer, ask, type Request } from "./EngineRequest.ts"

/**
 * Limit for connection and answer. Reason: the answer takes 10 ms on an idle machine; Podman waits for a lock that a
 * starting container holds for a second.
 */
export const defaultTimeout = Duration.seconds(5)

/** Largest answer. Unit: bytes. Reason: 4 KiB are usual; a hundred mounts and labels make 60 KiB. */
export const maxAnswerBytes = 1024 * 1024

/**
 * API versions, tried in this order. Reason: Docker 29 refuses versions below 1.44. Docker before 25 refuses versions
 * above its own and accepts 1.24. Podman accepts any. An engine answers 400 to a version that it does not support.
 */
export const versions = ["v1.44", "v1.24"] as const

/** Valid container names, at most 255 characters. Source: Docker, daemon/names; Podman, libpod/define. */
const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,254}$/

/**
 * Largest list of containers. Unit: bytes. Reason: a container takes 1 to 8 KiB (mounts, labels, ports), and a host has
 * at most some hundreds.
 */
export const maxListBytes = 8 * 1024 * 1024

/** Time for the program of a container to stop before the engine kills it. Unit: seconds. Source: Docker's default. */
export const stopPatience = 10

/** Limit for a restart. Reason: `stopPatience`, and 30 s for the start of a large container on a loaded host. */
export const restartTimeout = Duration.seconds(stopPatience + 30)

/** State of the container with this name or id. */
export const inspect = (
  socketPath: string,
  name: string,
  timeout = defaultTimeout
): Effect.Effect<ContainerState, ContainerEngineError> =>
  about(socketPath, name, readInspection, timeout).pipe(Effect.withSpan("ContainerEngine.inspect", { kind: "client" }))

/** State of the container with its image, start, restarts and process. Never its environment. */
export const details = (
  socketPath: string,
  name: string,
  timeout = defaultTimeout
): Effect.Effect<ContainerDetails, ContainerEngineError> =>
  about(socketPath, name, readDetails, timeout).pipe(Effect.withSpan("ContainerEngine.details", { kind: "client" }))

/** All containers, also stopped ones. */
export const list = (
  socketPath: string,
  timeout = defaultTimeout
): Effect.Effect<ReadonlyArray<ListedContainer>, ContainerEngineError> =>
  exchange(socketPath, { path: "/containers/json?all=true", maxBytes: maxListBytes }, readList, timeout).pipe(
    Effect.withSpan("ContainerEngine.list", { kind: "client" })
  )

/** Stops and starts the container. Ends when the engine has started it; its health is not known then. */
export const restart = (
  socketPath: string,
  name: string,
  timeout = restartTimeout
): Effect.Effect<void, ContainerEngineError> =>
  named(name, (path) =>
    exchange(
      socketPath,
      { method: "POST", path: `${path}/restart?t=${stopPatience}`, maxBytes: maxAnswerBytes },
      readRestart,
      timeout
    )
  ).pipe(Effect.withSpan("ContainerEngine.restart", { kind: "client" }))

/** Answers 204. Docker also has 304, which a restart does not give. Pure. */
const readRestart = (status: number, body: string): Result.Result<void, ContainerEngineReason> =>
  status === 204 || status === 304
    ? Result.succeed(undefined)
    : Result.fail(status === 404 ? missing(body) : { _tag: "Refused", status })

type Read<A> = (status: number, body: string) => Result.Result<A, ContainerEngineReason>

const about = <A>(socketPath: string, name: string, read: Read<A>, timeout: Duration.Duration) =>
  named(name, (path) => exchange(socketPath, { path: `${path}/json`, maxBytes: maxAnswerBytes }, read, timeout))

/** Calls `use` with the path of the container, unless no container can have the name. */
export const named = <A, R>(
  name: string,
  use: (path: string) => Effect.Effect<A, ContainerEngineError, R>
): Effect.Effect<A, ContainerEngineError, R> =>
  namePattern.test(name) ? use(`/containers/${encodeURIComponent(name)}`) : refuse({ _tag: "BadName" })

/** Asks with each API version until the engine accepts one. */
const exchange = <A>(
  socketPath: string,
  request: Omit<Request, "socketPath">,
  read: Read<A>,
  timeout: Duration.Duration
): Effect.Effect<A, ContainerEngineError> =>
  Effect.gen(function* () {
    let last: Answer | undefined
    for (const version of versions) {
      last = yield* ask({ ...request, socketPath, path: `/${version}${request.path}` })
      if (last.status !== 400) break
    }
    const found = read(last?.status ?? 0, last?.body ?? "")
    return Result.isSuccess(found) ? found.success : yield* refuse(found.failure)
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => refuse({ _tag: "TimedOut", milliseconds: Duration.toMillis(timeout) })
    })
  )

const refuse = (reason: ContainerEngineReason) => Effect.fail(new ContainerEngineError({ reason }))
