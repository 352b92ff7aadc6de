/**
 * Server for Postfix's policy requests on a TCP port or a unix socket, with one handler for all requests. It never
 * stops the mail flow: when the handler fails or is late, the answer is `dunno`. Connections that break the protocol
 * are closed without an answer, as SMTPD_POLICY_README requires. The protocol has no password and no TLS, so the
 * permissions of the socket, or `admits`, decide who may ask.
 *
 * npm has no package for this protocol with 500 downloads a month (November 2026). This folder has 460 lines.
 */
import { Duration, Effect, Exit, type Fiber, FiberSet, type Scope } from "effect"
import { createServer } from "node:net"
import { listen, type LocalListenError, type Place } from "../local-listener/LocalListener.ts"
import { type Action, encode, encodedDunno } from "./Action.ts"
import { Conversation } from "./Conversation.ts"
import type { PolicyRequest } from "./PolicyRequest.ts"

/** Limit for the handler. Reason: a client waits in its SMTP session; Postfix itself would wait 100 s. */
export const answerTimeout = Duration.seconds(2)

/** Limit from the first to the last byte of a request. Reason: Postfix writes a request at once. */
export const requestTimeout = Duration.seconds(10)

/**
 * Limit without traffic in either direction. Reason: longer than Postfix's smtpd_policy_service_max_idle of 300 s, so
 * Postfix closes the connection first.
 */
export const idleTimeout = Duration.seconds(330)

/**
 * Maximum number of open connections; further ones are closed at once. Reason: each smtpd process keeps one, and each
 * service has up to 100 (default_process_limit).
 */
export const maxConnections = 512

/** Limits of a server. Tests set smaller ones. */
export interface PolicyLimits {
  readonly answerTimeout: Duration.Duration
  readonly requestTimeout: Duration.Duration
  readonly idleTimeout: Duration.Duration
  readonly maxConnections: number
}

export interface PolicyServerOptions<R> {
  readonly place: Place
  /** Decides on a request. It is interrupted when late. Failures and defects are logged and answered with `dunno`. */
  readonly handler: (request: PolicyRequest) => Effect.Effect<Action, unknown, R>
  readonly limits?: Partial<PolicyLimits>
  /** Whether a client at this IP address of a TCP port may ask. Default: every client may. */
  readonly admits?: (address: string) => boolean
}

/** Opens the server; the scope closes it and its connections. Returns the bound port, 0 for a unix socket. */
export const serve = <R>(
  options: PolicyServerOptions<R>
): Effect.Effect<{ readonly port: number }, LocalListenError, Scope.Scope | R> =>
  Effect.gen(function* () {
    const limits: PolicyLimits = { answerTimeout, requestTimeout, idleTimeout, maxConnections, ...options.limits }
    const fork = yield* FiberSet.runtime(yield* FiberSet.make<unknown, unknown>())<R>()

    const trouble = (what: string, detail: unknown) => void fork(Effect.logWarning(`a policy request ${what}`, detail))

    /** Always resolves with an answer in time, even when the handler cannot be interrupted. */
    const answer = async (request: PolicyRequest): Promise<string> => {
      const handling = fork(Effect.suspend(() => options.handler(request)))
      const exit = await settled(handling, Duration.toMillis(limits.answerTimeout))
      if (exit === undefined) {
        handling.interruptUnsafe()
        trouble("was answered by nobody in time", `${Duration.toMillis(limits.answerTimeout)} ms`)
        return encodedDunno
      }
      if (Exit.isFailure(exit)) {
        trouble("could not be judged", exit.cause)
        return encodedDunno
      }
      const text = encode(exit.value)
      if (text._tag === "Success") return text.success
      trouble("got an action that cannot be said", text.failure.message)
      return encodedDunno
    }

    const server = createServer((socket) => {
      const from = socket.remoteAddress
      if ("port" in options.place && from !== undefined && options.admits?.(from) === false) {
        trouble("came from an address that may not ask", from)
        return void socket.destroy()
      }
      new Conversation(socket, { ...limits, answer, onFault: (why) => trouble("broke the protocol", why) })
    })
    return yield* listen(server, { place: options.place, maxConnections: limits.maxConnections, trouble })
  })

/** The exit of the fiber; undefined when it is still running after `milliseconds`. */
const settled = <A, E>(fiber: Fiber.Fiber<A, E>, milliseconds: number): Promise<Exit.Exit<A, E> | undefined> =>
  new Promise((resolve) => {
    const late = setTimeout(() => resolve(undefined), milliseconds)
    fiber.addObserver((exit) => {
      clearTimeout(late)
      resolve(exit)
    })
  })
