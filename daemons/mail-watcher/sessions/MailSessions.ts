/**
 * The one signed-in session by which an account is read and changed, shared by all who ask for it at the same time: made when somebody
 * reads, ended when nobody has for a while. Work on it is done one after the other, as IMAP has one selected folder.
 */
import { Context, Duration, Effect, Exit, Layer, RcMap, Redacted, type Scope, Semaphore } from "effect"
import type { SqlError } from "effect/sql"
import { ImapFlow } from "imapflow"
import { readFileSync } from "node:fs"
import type { NoSigningKey } from "#core/auth/Signer.ts"
import type { SecretError } from "#core/Secrets.ts"
import type { Account } from "../accounts/Account.ts"
import { MailLogins, type NoLogin } from "../accounts/MailLogins.ts"
import type { MailWatcherConfig } from "../Config.ts"
import { MailRefused, MailServerUnavailable, MailSignInRefused } from "../Errors.ts"

/** How long a session stays when nobody reads. Unit: seconds. Reason: a reader comes back within it; a mail server counts connections. */
const idleSession = Duration.seconds(60)

/** From name look-up to TLS; to the greeting; silence while an answer is owed. Unit: milliseconds. */
const connectionTimeout = 15_000
const greetingTimeout = 15_000
const socketTimeout = 60_000

export type SessionError = MailServerUnavailable | MailSignInRefused | MailRefused

export class MailSessions extends Context.Service<MailSessions, {
  /** Runs `work` alone on the account's session. What the library throws becomes one of the errors. */
  readonly use: <A>(account: Account, work: (client: ImapFlow) => Promise<A>) => Effect.Effect<A, SessionError>
}>()("signalbox/mail-watcher/MailSessions") {}

interface Session {
  readonly client: ImapFlow
  readonly turn: Semaphore.Semaphore
}

export const layer = (config: Pick<MailWatcherConfig, "mailCa">) =>
  Layer.effect(
    MailSessions,
    Effect.gen(function*() {
      const logins = yield* MailLogins
      const ca = config.mailCa === undefined ? undefined : readFileSync(config.mailCa)
      // Keyed by number: the account's row is what was read for this request.
      const rows = new Map<number, Account>()

      const open = (id: number): Effect.Effect<Session, SessionError, Scope.Scope> =>
        Effect.gen(function*() {
          const account = rows.get(id)!
          const server = yield* Effect.mapError(logins.imap(account), unusable)
          const { secret, user } = yield* Effect.mapError(logins.login(account), unusable)
          const value = Redacted.value(secret.value)
          const client = yield* Effect.acquireRelease(
            Effect.sync(() =>
              new ImapFlow({
                host: server.host,
                port: server.port,
                secure: true,
                tls: ca === undefined ? {} : { ca },
                auth: secret._tag === "Token" ? { user, accessToken: value } : { user, pass: value },
                logger: false,
                clientInfo: { name: "signalbox" },
                disableAutoIdle: true,
                connectionTimeout,
                greetingTimeout,
                socketTimeout
              })),
            (client) => Effect.sync(() => client.close())
          )
          client.on("error", () => undefined)
          client.on("close", () => Effect.runFork(RcMap.invalidate(sessions, id)))
          yield* Effect.tryPromise({ try: () => client.connect(), catch: sessionError })
          return { client, turn: Semaphore.makeUnsafe(1) }
        })

      const sessions: RcMap.RcMap<number, Session, SessionError> = yield* RcMap.make({ lookup: open, idleTimeToLive: idleSession })

      return MailSessions.of({
        use: (account, work) =>
          Effect.scoped(Effect.gen(function*() {
            rows.set(account.id, account)
            const { client, turn } = yield* RcMap.get(sessions, account.id).pipe(
              Effect.onExit((exit) => Exit.isFailure(exit) ? RcMap.invalidate(sessions, account.id) : Effect.void)
            )
            return yield* turn.withPermits(1)(Effect.tryPromise({ try: () => work(client), catch: sessionError }))
          }))
      })
    })
  )

const unusable = (error: NoLogin | NoSigningKey | SecretError | SqlError.SqlError) => new MailServerUnavailable({ detail: error._tag === "NoLogin" ? error.detail : "No login can be made." })

/** Longest text of a mail server in an answer of ours. Unit: characters. */
const maxDetail = 200

/** What the library threw, in our words: its errors carry the commands they sent and must not get further. */
export const sessionError = (error: unknown): SessionError => {
  if (error instanceof MailServerUnavailable || error instanceof MailSignInRefused || error instanceof MailRefused) return error
  const { authenticationFailed, responseStatus, responseText, serverResponseCode } = (error ?? {}) as Record<string, any>
  const detail = String(responseText ?? "").replace(/[\p{C}\s]+/gu, " ").trim().slice(0, maxDetail)
  // RFC 5530: UNAVAILABLE says that a part of the server is away, not that the password is wrong.
  if (authenticationFailed === true && serverResponseCode !== "UNAVAILABLE") return new MailSignInRefused({ detail })
  if (responseStatus === "NO" || responseStatus === "BAD") return new MailRefused({ detail })
  return new MailServerUnavailable({ detail: "The connection to the mail server failed." })
}
