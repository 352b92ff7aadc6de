/**
 * One HTTP request to the engine's socket: as a whole answer, or as a stream of bytes. Bounded; keeps no connection.
 */
import { Effect, type Scope, Stream } from "effect"
import { type ClientRequest, type IncomingMessage, request } from "node:http"
import { ContainerEngineError, type ContainerEngineReason } from "./ContainerEngineError.ts"

export interface Answer {
  readonly status: number
  readonly body: string
}

export interface Request {
  readonly socketPath: string
  readonly method?: "GET" | "POST"
  /** With version and query. */
  readonly path: string
  /** Largest answer. Unit: bytes. */
  readonly maxBytes: number
}

/** The whole answer. */
export const ask = (options: Request): Effect.Effect<Answer, ContainerEngineError> =>
  Effect.callback((resume) => {
    const fail = (reason: ContainerEngineReason) => resume(Effect.fail(new ContainerEngineError({ reason })))
    const outgoing = send(options, (answer) => {
      const chunks: Array<Buffer> = []
      let size = 0
      answer.on("data", (chunk: Buffer) => {
        size += chunk.length
        if (size > options.maxBytes) {
          fail({ _tag: "BadAnswer", why: "it is too long" })
          outgoing.destroy()
        } else chunks.push(chunk)
      })
      answer.once("end", () =>
        resume(Effect.succeed({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
      )
      answer.once("error", (error) => fail(reasonOf(error)))
    })
    outgoing.once("error", (error) => fail(reasonOf(error)))
    // Covers an answer that has neither an end nor an error, such as an unrequested protocol upgrade.
    outgoing.once("close", () => fail({ _tag: "Unreachable", code: "closed" }))
    outgoing.end()
    return Effect.sync(() => outgoing.destroy())
  })

/** An answer whose body arrives while the connection lives. A slow reader pauses the socket. */
export interface Streamed {
  readonly status: number
  readonly contentType: string
  /** Whether the engine is Podman. */
  readonly isPodman: boolean
  readonly chunks: Stream.Stream<Uint8Array, ContainerEngineError>
}

/** Sends the request and answers once the head has arrived. The end of the scope closes the connection. */
export const stream = (
  options: Pick<Request, "socketPath" | "method" | "path">
): Effect.Effect<Streamed, ContainerEngineError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ answer: IncomingMessage; outgoing: ClientRequest }, ContainerEngineError>((resume) => {
        const fail = (reason: ContainerEngineReason) => resume(Effect.fail(new ContainerEngineError({ reason })))
        const outgoing = send(options, (answer) => resume(Effect.succeed({ answer, outgoing })))
        outgoing.on("error", (error) => fail(reasonOf(error)))
        outgoing.once("close", () => fail({ _tag: "Unreachable", code: "closed" }))
        outgoing.end()
        return Effect.sync(() => outgoing.destroy())
      }),
      ({ outgoing }) => Effect.sync(() => outgoing.destroy())
    ),
    ({ answer }) => ({
      status: answer.statusCode ?? 0,
      contentType: answer.headers["content-type"] ?? "",
      isPodman: answer.headers["libpod-api-version"] !== undefined,
      chunks: Stream.fromAsyncIterable(answer as AsyncIterable<Uint8Array>, (error) => {
        return new ContainerEngineError({ reason: reasonOf(error) })
      })
    })
  )

// Without an agent: a connection kept open across a restart of the engine would be broken.
const send = (
  { method, path, socketPath }: Pick<Request, "socketPath" | "method" | "path">,
  onAnswer: (answer: IncomingMessage) => void
): ClientRequest =>
  request(
    {
      socketPath,
      path,
      method: method ?? "GET",
      agent: false,
      headers: { host: "engine", accept: "application/json" }
    },
    onAnswer
  )

const reasonOf = (error: unknown): ContainerEngineReason => {
  const code =
    typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
      ? error.code
      : "unknown"
  return code.startsWith("HPE_") ? { _tag: "BadAnswer", why: code } : { _tag: "Unreachable", code }
}
