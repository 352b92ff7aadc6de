/**
 * Tries the sign-in of an account before it is stored, so the user learns about a wrong password at once. Each check
 * opens and closes its own connection.
 */
import { Context, Effect, Layer, Redacted, Semaphore } from "effect"
import { type MailRefused, MailServerUnavailable, type MailSignInRefused } from "./Errors.ts"
import { type Dialled, GuardedHost } from "./GuardedHost.ts"
import type { TrustSettings } from "./Settings.ts"
import { secureContextOf } from "./TrustedCertificates.ts"
import { ofOneAnswer } from "./sessions/AnswerLimits.ts"
import { sessionError } from "./sessions/SessionError.ts"

/**
 * Timeouts for connecting, for the greeting, and for silence while a command runs. Unit: milliseconds. Reason: a user
 * waits.
 */
const connectionTimeout = 10_000
const greetingTimeout = 10_000
const socketTimeout = 15_000

/**
 * Timeout of the whole check. Unit: milliseconds. Reason: a slow server that keeps sending would never hit the silence
 * timeout.
 */
const wholeTimeout = 30_000

/**
 * Maximum number of concurrent checks in one process. Unit: sign-ins. Reason: prevents password guessing and connection
 * floods through our server.
 */
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
    /** Signs in to a foreign server and disconnects. */
    readonly check: (attempt: Attempt) => Effect.Effect<void, MailServerUnavailable | MailSignInRefused | MailRefused>
  }
>()("signalbox/mail-watcher/SignInCheck") {}

/** `patience` is in milliseconds; tests set it. */
export const layer = (config: TrustSettings, patience: number = wholeTimeout) =>
  Layer.effect(
    SignInCheck,
    Effect.gen(function* () {
      const guard = yield* GuardedHost
      const secureContext = secureContextOf(config)
      const permits = Semaphore.makeUnsafe(maxChecks)

      const client = ({ password, user }: Attempt, server: Dialled) =>
        // Loaded late, as in MailSessions.ts.
        Effect.map(
          Effect.promise(() => import("#protocols/imap-watch/LateImapFlow.ts")),
          ({ ImapFlow }) => {
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
          }
        )

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
