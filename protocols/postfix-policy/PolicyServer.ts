/**
 * Answers Postfix's policy requests on a TCP port or a unix socket, with one handler for all. Mail never stops because
 * of it: a handler that fails or is late is answered for with `dunno`. What does not speak the protocol is hung up on,
 * unanswered, as SMTPD_POLICY_README asks. For Postfix alone: there is neither a password nor TLS.
 */
import { Duration, Effect, Exit, type Fiber, FiberSet, type Scope } from "effect"
import { createServer, type Socket } from "node:net"
import { type Action, encode, encodedDunno } from "./Action.ts"
import { Conversation } from "./Conversation.ts"
import { bind, type Place } from "./Listening.ts"
import type { PolicyRequest } from "./PolicyRequest.ts"
import type { PostfixPolicyError } from "./PostfixPolicyError.ts"

/** For the handler. Reason: a client waits in its SMTP conversation; Postfix itself would wait 100 s. */
export const answerTimeout = Duration.seconds(2)

/** From a request's first byte to its last. Reason: Postfix writes it in one piece. */
export const requestTimeout = Duration.seconds(10)

/**
 * Without a byte either way. Reason: longer than Postfix's smtpd_policy_service_max_idle of 300 s, so that it hangs up
 * first.
 */
export const idleTimeout = Duration.seconds(330)

/**
 * Connections at once; further ones are hung up on. Reason: each smtpd keeps one, and there are 100 a service
 * (default_process_limit).
 */
export const maxConnections = 512

/** The bounds, for tests that cannot wait or open that much. */
export interface PolicyLimits {
  readonly answerTimeout: Duration.Duration
  readonly requestTimeout: Duration.Duration
  readonly idleTimeout: Duration.Duration
  readonly maxConnections: number
}

export interface PolicyServerOptions<R> {
  readonly place: Place
  /** Interrupted when late. Its failures and defects are logged, and answered with `dunno`. */
  readonly handler: (request: PolicyRequest) => Effect.Effect<Action, unknown, R>
  readonly limits?: Partial<PolicyLimits>
}

/** Opens the server; the scope closes it and hangs up. Answers the real port, 0 for a unix socket. */
export const serve = <R>(
  options: PolicyServerOptions<R>
): Effect.Effect<{ readonly port: number }, PostfixPolicyError, Scope.Scope | R> =>
  Effect.gen(function* () {
    const limits: PolicyLimits = { answerTimeout, requestTimeout, idleTimeout, maxConnections, ...options.limits }
    const fork = yield* FiberSet.runtime(yield* FiberSet.make<unknown, unknown>())<R>()
    const sockets = new Set<Socket>()

    const trouble = (what: string, detail: unknown) => void fork(Effect.logWarning(`a policy request ${what}`, detail))

    /** Always an answer, and in time, even if the handler cannot be interrupted. */
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
      sockets.add(socket)
      socket.once("close", () => sockets.delete(socket))
      new Conversation(socket, { ...limits, answer, onFault: (why) => trouble("broke the protocol", why) })
    })
    server.maxConnections = limits.maxConnections
    server.on("drop", () => trouble("found no room", `${limits.maxConnections} connections`))

    yield* Effect.acquireRelease(bind(server, options.place), () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
    )
    // Out of descriptors, as a rule: the next connection may find one again.
    server.on("error", (error) => trouble("could not be taken", error.message))
    const address = server.address()
    return { port: typeof address === "object" && address !== null ? address.port : 0 }
  })

/** How the fiber ended, or undefined when it has not after `milliseconds`. */
const settled = <A, E>(fiber: Fiber.Fiber<A, E>, milliseconds: number): Promise<Exit.Exit<A, E> | undefined> =>
  new Promise((resolve) => {
    const late = setTimeout(() => resolve(undefined), milliseconds)
    fiber.addObserver((exit) => {
      clearTimeout(late)
      resolve(exit)
    })
  })
