/**
 * Whether an account can be signed in to, tried before it is stored: a wrong password is told to whoever typed it, and not found in a log.
 * The connection is made for this and ended.
 */
import { Context, Effect, Layer, Redacted, Semaphore } from "effect"
import { ImapFlow } from "imapflow"
import { type MailRefused, MailServerUnavailable, type MailSignInRefused } from "./Errors.ts"
import { type Dialled, GuardedHost } from "./GuardedHost.ts"
import type { TrustSettings } from "./Settings.ts"
import { secureContextOf } from "./TrustedCertificates.ts"
import { ofOneAnswer } from "./sessions/AnswerLimits.ts"
import { sessionError } from "./sessions/SessionError.ts"

/** From connecting to TLS; to the greeting; silence while an answer is owed. Unit: milliseconds. Reason: somebody waits for the answer. */
const connectionTimeout = 10_000
const greetingTimeout = 10_000
const socketTimeout = 15_000

/** All of it. Unit: milliseconds. Reason: a server that says something now and then is never silent, and would keep its place for ever. */
const wholeTimeout = 30_000

/** Tried at once in one process. Unit: sign-ins. Reason: nobody can guess passwords elsewhere, or hold many connections, by way of us. */
const maxChecks = 8

export interface Attempt {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: Redacted.Redacted
}

export class SignInCheck extends Context.Service<
  SignInCheck,
  {
    /** Signs in to a foreign server and out again. */
    readonly check: (attempt: Attempt) => Effect.Effect<void, MailServerUnavailable | MailSignInRefused | MailRefused>
  }
>()("signalbox/mail-watcher/SignInCheck") {}

/** `patience`: milliseconds, for tests. */
export const layer = (config: TrustSettings, patience: number = wholeTimeout) =>
  Layer.effect(
    SignInCheck,
    Effect.gen(function* () {
      const guard = yield* GuardedHost
      const secureContext = secureContextOf(config)
      const permits = Semaphore.makeUnsafe(maxChecks)

      const client = ({ password, user }: Attempt, server: Dialled) =>
        Effect.sync(() => {
          const client = new ImapFlow({
            host: server.host,
            port: server.port,
            secure: true,
            ...(server.servername === undefined ? {} : { servername: server.servername }),
            tls: { secureContext },
            auth: { user, pass: Redacted.value(password) },
            logger: false,
            clientInfo: { name: "signalbox" },
            verifyOnly: true,
            connectionTimeout,
            greetingTimeout,
            socketTimeout,
            ...ofOneAnswer
          })
          client.on("error", () => undefined)
          return client
        })

      return SignInCheck.of({
        check: (attempt) =>
          permits.withPermits(1)(
            Effect.flatMap(guard.dial({ host: attempt.host, port: attempt.port, foreign: true }), (server) =>
              Effect.acquireUseRelease(
                client(attempt, server),
                (client) =>
                  Effect.tryPromise({
                    try: () => client.connect(),
                    catch: (error) => sessionError(error, Redacted.value(attempt.password))
                  }),
                (client) => Effect.sync(() => client.close())
              ).pipe(
                Effect.timeoutOrElse({
                  duration: patience,
                  orElse: () => Effect.fail(new MailServerUnavailable({ detail: "The mail server does not answer." }))
                })
              )
            )
          )
      })
    })
  )
