/**
 * Server of look-ups by Postfix's table type `socketmap`, on a TCP port or a unix socket. When the handler fails or is
 * late, the answer is a temporary error, so Postfix defers the mail and asks again. A connection that breaks the
 * protocol is closed. The protocol has no password and no TLS, so the permissions of the socket decide who may ask.
 *
 * npm has no package for this protocol (November 2026). This folder has 190 lines.
 */
import { Duration, Effect, Exit, FiberSet, type Scope } from "effect"
import { createServer } from "node:net"
import { listen, type LocalListenError, type Place } from "../local-listener/LocalListener.ts"
import { Netstrings } from "./Netstring.ts"
import { encode, type Reply } from "./Reply.ts"

/** Limit for the handler. Reason: a client waits in its SMTP session; Postfix itself would wait 100 s. */
export const answerTimeout = Duration.seconds(5)

/** Limit without traffic. Reason: Postfix closes an idle connection after 10 s and an old one after 100 s. */
export const idleTimeout = Duration.seconds(120)

/**
 * Maximum number of open connections; further ones are closed at once. Reason: each process of Postfix keeps one, and
 * each of about eight services has up to 100 processes (default_process_limit).
 */
export const maxConnections = 1_024

export interface SocketmapServerOptions<R> {
  readonly place: Place
  /** Looks up `key` in the table `map`. It is interrupted when late. */
  readonly handler: (map: string, key: string) => Effect.Effect<Reply, unknown, R>
  readonly answerTimeout?: Duration.Duration
}

const failed: Reply = { _tag: "Temporary", reason: "the look-up failed" }

/** Opens the server; the scope closes it and its connections. Returns the bound port, 0 for a unix socket. */
export const serve = <R>(
  options: SocketmapServerOptions<R>
): Effect.Effect<{ readonly port: number }, LocalListenError, Scope.Scope | R> =>
  Effect.gen(function* () {
    const fork = yield* FiberSet.runtime(yield* FiberSet.make<unknown, unknown>())<R>()
    const trouble = (what: string, detail: unknown) => void fork(Effect.logWarning(`a look-up ${what}`, detail))

    const answer = (request: string): Promise<string> => {
      const space = request.indexOf(" ")
      const lookup = Effect.suspend(() => options.handler(request.slice(0, space), request.slice(space + 1))).pipe(
        Effect.timeout(options.answerTimeout ?? answerTimeout)
      )
      return new Promise((resolve) =>
        fork(lookup).addObserver((exit) => {
          if (Exit.isFailure(exit)) trouble("failed", exit.cause)
          resolve(encode(Exit.isSuccess(exit) ? exit.value : failed))
        })
      )
    }

    const server = createServer((socket) => {
      socket.setTimeout(Duration.toMillis(idleTimeout), () => socket.destroy())
      // A connection reset is handled like a normal close.
      socket.on("error", () => undefined)
      const netstrings = new Netstrings()
      /** Reads no more input until all requests of this chunk are answered. */
      const hear = async (chunk: Buffer) => {
        socket.pause()
        const { fault, requests } = netstrings.push(chunk)
        for (const request of requests) {
          const text = await answer(request)
          if (socket.destroyed) return
          await new Promise<void>((resolve) => socket.write(text, () => resolve()))
        }
        if (fault === undefined) return void socket.resume()
        trouble("broke the protocol", fault)
        socket.destroy()
      }
      socket.on("data", (chunk: Buffer) => void hear(chunk))
    })
    return yield* listen(server, { place: options.place, maxConnections, trouble })
  })
