/**
 * Client of a Docker-compatible engine over its unix socket. Its only request asks for the state of a container. Opens
 * one socket per request, keeps no state and changes nothing. Source: Docker Engine API 1.44; tested with Podman 4.3.1.
 *
 * The library dockerode 5.0.1 has 5,100 lines and depends on gRPC and protobufjs; this folder has 210. Its result
 * contains the environment of the container, which may hold secrets.
 */
import { request } from "node:http"
import { Duration, Effect, Result } from "effect"
import { ContainerEngineError, type ContainerEngineReason } from "./ContainerEngineError.ts"
import { type ContainerState, readInspection } from "./ContainerState.ts"

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
const versions = ["v1.44", "v1.24"] as const

/** Valid container names, at most 255 characters. Source: Docker, daemon/names; Podman, libpod/define. */
const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,254}$/

/** State of the container with this name or id. */
export const inspect = (
  socketPath: string,
  name: string,
  timeout = defaultTimeout
): Effect.Effect<ContainerState, ContainerEngineError> =>
  Effect.gen(function* () {
    if (!namePattern.test(name)) return yield* refuse({ _tag: "BadName" })
    let last: Answer | undefined
    for (const version of versions) {
      last = yield* ask(socketPath, `/${version}/containers/${encodeURIComponent(name)}/json`)
      if (last.status !== 400) break
    }
    const state = readInspection(last?.status ?? 0, last?.body ?? "")
    return Result.isSuccess(state) ? state.success : yield* refuse(state.failure)
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => refuse({ _tag: "TimedOut", milliseconds: Duration.toMillis(timeout) })
    }),
    Effect.withSpan("ContainerEngine.inspect", { kind: "client" })
  )

interface Answer {
  readonly status: number
  readonly body: string
}

const refuse = (reason: ContainerEngineReason) => Effect.fail(new ContainerEngineError({ reason }))

const ask = (socketPath: string, path: string): Effect.Effect<Answer, ContainerEngineError> =>
  Effect.callback((resume) => {
    const fail = (reason: ContainerEngineReason) => resume(refuse(reason))
    // Without an agent: a connection kept open across a restart of the engine would be broken.
    const outgoing = request(
      { socketPath, path, agent: false, headers: { host: "engine", accept: "application/json" } },
      (answer) => {
        const chunks: Array<Buffer> = []
        let size = 0
        answer.on("data", (chunk: Buffer) => {
          size += chunk.length
          if (size > maxAnswerBytes) {
            fail({ _tag: "BadAnswer", why: "it is too long" })
            outgoing.destroy()
          } else chunks.push(chunk)
        })
        answer.once("end", () =>
          resume(Effect.succeed({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
        )
        answer.once("error", (error) => fail({ _tag: "Unreachable", code: codeOf(error) }))
      }
    )
    outgoing.once("error", (error) => {
      const code = codeOf(error)
      fail(code.startsWith("HPE_") ? { _tag: "BadAnswer", why: code } : { _tag: "Unreachable", code })
    })
    // Covers an answer that has neither an end nor an error, such as an unrequested protocol upgrade.
    outgoing.once("close", () => fail({ _tag: "Unreachable", code: "closed" }))
    outgoing.end()
    return Effect.sync(() => outgoing.destroy())
  })

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "unknown"
