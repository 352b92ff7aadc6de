/**
 * The log of a container, as lines. With `follow` it goes on until the container stops or the scope ends. Source:
 * Docker Engine API 1.44, ContainerLogs.
 */
import { Duration, Effect, type Scope, Stream } from "effect"
import { defaultTimeout, details, named, versions } from "./ContainerEngine.ts"
import { ContainerEngineError } from "./ContainerEngineError.ts"
import { missing } from "./ContainerState.ts"
import { stream, type Streamed } from "./EngineRequest.ts"
import { makeReader, type RawLine } from "./LogFrames.ts"

export interface LogOptions {
  /** Number of earlier lines. */
  readonly lines: number
  readonly follow: boolean
}

/** Longest text of an error answer that is read. Unit: bytes. */
const maxComplaint = 16 * 1024

/**
 * Opens the log. The head of the answer must arrive within `timeout`. A log that is not followed must end within
 * another `timeout`.
 */
export const logs = (
  socketPath: string,
  name: string,
  { follow, lines }: LogOptions,
  timeout = defaultTimeout
): Effect.Effect<Stream.Stream<RawLine, ContainerEngineError>, ContainerEngineError, Scope.Scope> =>
  Effect.gen(function* () {
    const { tty } = yield* details(socketPath, name, timeout)
    const query = `stdout=1&stderr=1&timestamps=1&tail=${lines}${follow ? "&follow=1" : ""}`
    const answer = yield* named(name, (path) => opened(socketPath, `${path}/logs?${query}`, timeout))
    const reader = makeReader({ tty })
    const read = answer.chunks.pipe(
      Stream.mapEffect((chunk) =>
        Effect.try({
          try: () => reader.push(chunk),
          catch: () => new ContainerEngineError({ reason: { _tag: "BadAnswer", why: "its log has no frames" } })
        })
      ),
      Stream.concat(Stream.sync(() => reader.end())),
      Stream.flatMap((found) => Stream.fromIterable(found))
    )
    return read
  }).pipe(Effect.withSpan("ContainerEngine.logs", { kind: "client" }))

const opened = (socketPath: string, path: string, timeout: Duration.Duration) =>
  Effect.gen(function* () {
    let last: Streamed | undefined
    for (const version of versions) {
      last = yield* stream({ socketPath, path: `/${version}${path}` })
      if (last.status !== 400) break
    }
    if (last!.status === 200) return last!
    const status = last!.status
    const body = status === 404 ? yield* complaint(last!) : ""
    return yield* new ContainerEngineError({ reason: status === 404 ? missing(body) : { _tag: "Refused", status } })
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.fail(
          new ContainerEngineError({ reason: { _tag: "TimedOut", milliseconds: Duration.toMillis(timeout) } })
        )
    })
  )

const complaint = ({ chunks }: Streamed): Effect.Effect<string, ContainerEngineError> =>
  chunks.pipe(
    Stream.runFoldEffect(
      () => "",
      (text, chunk) => Effect.succeed(text.length > maxComplaint ? text : text + Buffer.from(chunk).toString())
    )
  )
