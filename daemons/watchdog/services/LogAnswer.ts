/** Answers with the lines of a log: the last lines at once, or server-sent events while it is followed. */
import { Duration, Effect, Exit, Scope, Stream } from "effect"
import { maxLines } from "./Limits.ts"
import type { ServiceName } from "./ServiceName.ts"
import { ServiceRuntime } from "./ServiceRuntime.ts"
import type { Line } from "./Snapshot.ts"
import { sourceError, type SourceError } from "./SourceError.ts"

/** Limit for the last lines. Reason: 5,000 lines take 0.1 s; a hung engine must not hold the page. */
const readTimeout = Duration.seconds(15)

/** Largest text of an answer. Unit: UTF-16 units. Reason: 5,000 lines of 8 KiB would be 40 MB. */
const maxText = 4 * 1024 * 1024

/** Longest follow. Reason: a session that ended must not read on; the client asks again and is checked again. */
export const longestFollow = Duration.minutes(10)

/** Interval of comments. Reason: proxies close a quiet connection. Source: WHATWG HTML, server-sent events. */
const commentInterval = Duration.seconds(15)

export interface LastLines {
  readonly items: ReadonlyArray<Line>
  readonly truncated: boolean
}

/** The last lines, oldest first. */
export const lastLines = (service: ServiceName, lines: number): Effect.Effect<LastLines, SourceError, ServiceRuntime> =>
  Effect.scoped(
    Effect.gen(function* () {
      const runtime = yield* ServiceRuntime
      const stream = yield* runtime.logs(service, { lines, follow: false })
      const items: Array<Line> = []
      let size = 0
      let truncated = false
      yield* Stream.runForEach(stream, (line) =>
        Effect.sync(() => {
          items.push(line)
          size += line.text.length
          // An engine that ignores the number of lines must not fill the memory.
          while (items.length > Math.min(lines, maxLines) || (size > maxText && items.length > 1)) {
            truncated ||= items.length <= lines
            size -= items.shift()!.text.length
          }
        })
      )
      return { items, truncated }
    })
  ).pipe(
    Effect.timeoutOrElse({
      duration: readTimeout,
      orElse: () =>
        Effect.fail(sourceError({ _tag: "TimedOut", what: "the log", milliseconds: Duration.toMillis(readTimeout) }))
    })
  )

interface Sent {
  readonly text: string
  readonly isLast: boolean
}

const event = (name: string, data: unknown): Sent => ({
  text: `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
  isLast: name === "end"
})

/** Opens the log, then answers with its events. A reader that is slow slows the source, so nothing is lost. */
export const followed = Effect.fnUntraced(function* (service: ServiceName, lines: number, longest = longestFollow) {
  const runtime = yield* ServiceRuntime
  const scope = yield* Scope.make()
  const stream = yield* runtime.logs(service, { lines, follow: true }).pipe(
    Scope.provide(scope),
    Effect.timeoutOrElse({
      duration: readTimeout,
      orElse: () =>
        Effect.fail(sourceError({ _tag: "TimedOut", what: "the log", milliseconds: Duration.toMillis(readTimeout) }))
    }),
    Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, Exit.void)))
  )
  const sent = stream.pipe(
    Stream.map((line) => event("line", line)),
    Stream.concat(Stream.succeed(event("end", { reason: "gone" }))),
    Stream.catch((error) => Stream.succeed(event("end", { reason: "failed", detail: error.message })))
  )
  const comments = Stream.map(Stream.tick(commentInterval), (): Sent => ({ text: ": \n\n", isLast: false }))
  const renewal = Stream.fromEffect(Effect.delay(Effect.succeed(event("end", { reason: "renew" })), longest))
  return Stream.mergeAll([sent, comments, renewal], { concurrency: "unbounded", bufferSize: 16 }).pipe(
    Stream.takeUntil(({ isLast }) => isLast),
    Stream.map(({ text }) => text),
    Stream.ensuring(Scope.close(scope, Exit.void)),
    Stream.encodeText
  )
})
