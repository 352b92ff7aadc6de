/** Requests to the root helper over its socket: one connection for each request. */
import { Duration, Effect, type Scope, Stream } from "effect"
import { existsSync } from "node:fs"
import { connect, type Socket } from "node:net"
import type { Reply, Verb } from "./root-helper/Verbs.ts"
import { sourceError, type SourceError } from "./SourceError.ts"

/** Limit for an answer without restart. Reason: the helper starts a process and waits 10 s for systemd. */
const readTimeout = Duration.seconds(15)

/** Limit for a restart. Reason: systemd stops and starts a unit within 90 s each by default. */
const restartTimeout = Duration.seconds(190)

/** Largest answer. Unit: bytes. Source: largest output of a program in the helper, as JSON text. */
const maxAnswer = 32 * 1024 * 1024

/** Whether a helper is installed. */
export const isInstalled = (socketPath: string): boolean => existsSync(socketPath)

/** Value of the answer. */
export const call = (
  socketPath: string,
  verb: Exclude<Verb, { verb: "journal" }>
): Effect.Effect<unknown, SourceError> => {
  const timeout = verb.verb.startsWith("restart") ? restartTimeout : readTimeout
  return Effect.scoped(
    Effect.gen(function* () {
      const socket = yield* opened(socketPath, verb)
      const text = yield* Effect.callback<string, SourceError>((resume) => {
        const chunks: Array<Buffer> = []
        let size = 0
        socket.on("data", (chunk) => {
          size += chunk.length
          if (size > maxAnswer) resume(Effect.fail(sourceError({ _tag: "TooLong", what: "the root helper" })))
          else chunks.push(chunk)
        })
        socket.once("close", () => resume(Effect.succeed(Buffer.concat(chunks).toString("utf8"))))
      })
      return yield* valueOf(text)
    })
  ).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.fail(
          sourceError({ _tag: "TimedOut", what: "the root helper", milliseconds: Duration.toMillis(timeout) })
        )
    })
  )
}

/** Lines of a unit's journal as JSON, after the helper's own first line. */
export const journal = (
  socketPath: string,
  verb: Extract<Verb, { verb: "journal" }>
): Effect.Effect<Stream.Stream<Uint8Array, SourceError>, SourceError, Scope.Scope> =>
  Effect.gen(function* () {
    const socket = yield* opened(socketPath, verb)
    const rest = yield* firstLine(socket).pipe(
      Effect.timeoutOrElse({
        duration: readTimeout,
        orElse: () =>
          Effect.fail(
            sourceError({ _tag: "TimedOut", what: "the root helper", milliseconds: Duration.toMillis(readTimeout) })
          )
      })
    )
    yield* valueOf(rest.line)
    return Stream.concat(
      Stream.succeed(rest.after),
      Stream.fromAsyncIterable(socket as AsyncIterable<Uint8Array>, () =>
        sourceError({ _tag: "Failed", detail: "the root helper broke off" })
      )
    )
  })

/** Longest first line of the answer. Unit: bytes. */
const maxFirstLine = 64 * 1024

const firstLine = (socket: Socket) =>
  Effect.callback<{ line: string; after: Uint8Array }, SourceError>((resume) => {
    let held = Buffer.alloc(0)
    const onData = (chunk: Buffer) => {
      held = Buffer.concat([held, chunk])
      const end = held.indexOf(10)
      if (end === -1 && held.length <= maxFirstLine) return
      socket.pause()
      socket.off("data", onData)
      resume(
        end === -1
          ? Effect.fail(sourceError({ _tag: "TooLong", what: "the root helper" }))
          : Effect.succeed({ line: held.subarray(0, end).toString("utf8"), after: held.subarray(end + 1) })
      )
    }
    socket.on("data", onData)
    socket.once("close", () => resume(Effect.fail(noAnswer)))
  })

const noAnswer = sourceError({ _tag: "Failed", detail: "the root helper did not answer" })

const opened = (socketPath: string, verb: Verb): Effect.Effect<Socket, SourceError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<Socket, SourceError>((resume) => {
      const socket = connect(socketPath)
      socket.once("connect", () => {
        socket.write(`${JSON.stringify(verb)}\n`)
        resume(Effect.succeed(socket))
      })
      socket.on("error", (error: NodeJS.ErrnoException) =>
        resume(
          Effect.fail(
            error.code === "ENOENT"
              ? sourceError({ _tag: "Absent", what: "the root helper" })
              : sourceError({ _tag: "Failed", detail: `the root helper cannot be reached: ${error.code ?? "unknown"}` })
          )
        )
      )
      return Effect.sync(() => socket.destroy())
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

const valueOf = (text: string): Effect.Effect<unknown, SourceError> => {
  let reply: Reply | undefined
  try {
    reply = JSON.parse(text) as Reply
  } catch {
    return Effect.fail(noAnswer)
  }
  if (reply.ok) return Effect.succeed(reply.value)
  return Effect.fail(
    reply.code === "not_listed"
      ? sourceError({ _tag: "NotListed" })
      : sourceError({ _tag: "Failed", detail: reply.detail.slice(0, 300) })
  )
}
