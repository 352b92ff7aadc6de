/**
 * The log of a container, as lines. With `follow` it goes on until the container stops or the scope ends. Source:
 * Docker Engine API 1.44, ContainerLogs and ContainerAttach; tested with Podman 4.3.1.
 */
import { type Cause, Duration, Effect, Queue, type Scope, Stream } from "effect"
import { defaultTimeout, details, named, versions } from "./ContainerEngine.ts"
import { ContainerEngineError } from "./ContainerEngineError.ts"
import { missing } from "./ContainerState.ts"
import { type Request, stream, type Streamed } from "./EngineRequest.ts"
import { makeReader, type RawLine } from "./LogFrames.ts"
import { makePreview } from "./LogPreview.ts"

export interface LogOptions {
  /** Number of earlier lines. */
  readonly lines: number
  readonly follow: boolean
}

/** Longest text of an error answer that is read. Unit: bytes. */
const maxComplaint = 16 * 1024

/** Lines that a slow reader has not taken yet. Reason: 2 MiB at most, and a burst of a busy container. */
const maxUnread = 256

/**
 * Opens the log. The head of the answer must arrive within `timeout`. A log that is not followed must end within
 * another `timeout`.
 *
 * Podman looks at the file of a followed log every 250 ms. Its lines are therefore also taken from the output of the
 * container, which arrives at once. Docker, and Podman with the journal, wait for the line itself.
 */
export const logs = (
  socketPath: string,
  name: string,
  { follow, lines }: LogOptions,
  timeout = defaultTimeout
): Effect.Effect<Stream.Stream<RawLine, ContainerEngineError>, ContainerEngineError, Scope.Scope> =>
  Effect.gen(function* () {
    const { input, logDriver, tty } = yield* details(socketPath, name, timeout)
    const query = `stdout=1&stderr=1&timestamps=1&tail=${lines}${follow ? "&follow=1" : ""}`
    const answer = yield* named(name, (path) => opened({ socketPath, path: `${path}/logs?${query}` }, timeout))
    const complete = linesOf(answer, { tty, timed: true })
    // The end of an attached connection can close the standard input of the container. Source: conmon, conn_sock.c.
    if (!follow || !answer.isPodman || input || logDriver === "journald") return complete
    const output = Effect.map(
      named(name, (path) =>
        opened({ socketPath, method: "POST", path: `${path}/attach?stream=1&stdin=0&stdout=1&stderr=1` }, timeout)
      ),
      (attached) => linesOf(attached, { tty, timed: false })
    )
    return yield* joined(complete, output)
  }).pipe(Effect.withSpan("ContainerEngine.logs", { kind: "client" }))

type Lines = Stream.Stream<RawLine, ContainerEngineError>

const linesOf = ({ chunks }: Streamed, options: Parameters<typeof makeReader>[0]): Lines => {
  const reader = makeReader(options)
  return chunks.pipe(
    Stream.mapEffect((chunk) =>
      Effect.try({
        try: () => reader.push(chunk),
        catch: () => new ContainerEngineError({ reason: { _tag: "BadAnswer", why: "its log has no frames" } })
      })
    ),
    Stream.concat(Stream.sync(() => reader.end())),
    Stream.flatMap((found) => Stream.fromIterable(found))
  )
}

/**
 * The lines of the log, those of the output earlier. The output is always read, however slow the reader is: conmon
 * blocks the container while nobody takes its output. Without output, as of a stopped container, the log is enough.
 */
const joined = (
  complete: Lines,
  output: Effect.Effect<Lines, ContainerEngineError, Scope.Scope>
): Effect.Effect<Lines, never, Scope.Scope> =>
  Effect.gen(function* () {
    const unread = yield* Queue.bounded<RawLine, ContainerEngineError | Cause.Done>(maxUnread)
    const preview = makePreview(new Date())
    yield* complete.pipe(
      Stream.runForEach((line) => (preview.logged(line) ? Queue.offer(unread, line) : Effect.void)),
      Effect.matchCauseEffect({
        onFailure: (cause) => Queue.failCause(unread, cause),
        onSuccess: () => Queue.end(unread)
      }),
      Effect.forkScoped
    )
    yield* Effect.scoped(
      Effect.flatMap(
        output,
        Stream.runForEachWhile((line) =>
          Effect.sync(() => {
            const verdict = preview.attached(line, !Queue.isFullUnsafe(unread))
            if (verdict === "show") Queue.offerUnsafe(unread, { ...line, at: new Date() })
            return verdict !== "full"
          })
        )
      )
    ).pipe(Effect.ignore, Effect.forkScoped)
    return Stream.fromQueue(unread)
  })

const opened = (request: Pick<Request, "socketPath" | "method" | "path">, timeout: Duration.Duration) =>
  Effect.gen(function* () {
    let last: Streamed | undefined
    for (const version of versions) {
      last = yield* stream({ ...request, path: `/${version}${request.path}` })
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
