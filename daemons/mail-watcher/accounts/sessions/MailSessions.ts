/**
 * One signed-in IMAP session per account, shared by all readers and writers. A session opens with the first work and
 * closes after an idle period. Work runs one after the other, because IMAP selects one folder at a time. Long work such
 * as a large download queues again for each piece.
 */
import { Context, Duration, Effect, Layer, RcMap, Redacted, type Scope, Semaphore } from "effect"
import type { Account } from "../Account.ts"
import { MailServerUnavailable, MailSignInRefused } from "../Errors.ts"
import { GuardedHost } from "../GuardedHost.ts"
import { MailLogins } from "../MailLogins.ts"
import type { TrustSettings } from "../Settings.ts"
import { secureContextOf } from "../TrustedCertificates.ts"
import { ofOneAnswer } from "./AnswerLimits.ts"
import { LibrarySocket } from "./LibrarySocket.ts"
import { RawCommands } from "./RawCommands.ts"
import {
  codeOf,
  endWithin,
  type Failed,
  type Session,
  TooLong,
  type UseOptions,
  within,
  type Work
} from "./SessionWork.ts"
import { type SessionError, sessionError, tooLarge, unread, unusable, workError } from "./SessionError.ts"

export { type SessionError, sessionError } from "./SessionError.ts"
export type { UseOptions } from "./SessionWork.ts"

/**
 * Idle time before a session closes. Unit: seconds. Reason: readers come back within it, and mail servers limit
 * connections.
 */
export const idleSession = Duration.seconds(60)

/**
 * Maximum number of open sessions of this process, idle ones included. Reason: each takes 0.5 MB and a descriptor. Idle
 * sessions are closed for new ones.
 */
export const maxSessions = 256

/**
 * Timeout of one piece of work, after which the session closes. Unit: milliseconds. Reason: searching a large folder
 * without an index takes tens of seconds.
 */
export const workTimeout = 60_000

/**
 * How long work may run on for a caller that has left. Unit: milliseconds. Reason: most work ends within it, and a new
 * session costs more; a long search would block the account's other readers.
 */
const leftTime = 1_000

/** Maximal wait for earlier work. Unit: seconds. Reason: clients give up by then. */
const turnTimeout = Duration.seconds(60)

/** Timeouts for connecting, for the greeting, and for silence while a command runs. Unit: milliseconds. */
const connectionTimeout = 15_000
const greetingTimeout = 15_000
const socketTimeout = 60_000

/**
 * Timeout of the whole sign-in. Unit: milliseconds. Reason: a slow server that keeps sending never hits the silence
 * timeout; a loaded one signs in within seconds.
 */
const signInTimeout = 45_000

export class MailSessions extends Context.Service<
  MailSessions,
  {
    /**
     * Runs `work` alone on the account's session. Interrupting the caller stops work that changes nothing (`repeat`):
     * the session closes unless the work ends within `leftTime`. Other work runs to its end. Errors of the library
     * become `SessionError`.
     */
    readonly use: <A>(account: Account, work: Work<A>, options?: UseOptions<A>) => Effect.Effect<A, SessionError>
    /**
     * Starts `work` without waiting; only for work that changes nothing. Undefined: no idle session exists. Rejects
     * with the library's errors; the caller then uses `use`.
     */
    readonly useNow: <A>(account: Account, work: Work<A>) => Promise<A> | undefined
    /** Closes the account's session, for example after its credentials changed. The next work opens a new one. */
    readonly drop: (account: number) => Effect.Effect<void>
  }
>()("signalbox/mail-watcher/MailSessions") {}

/** Limits that tests override. */
export interface SessionLimits {
  readonly idle?: Duration.Duration
  readonly sessions?: number
  readonly workTimeout?: number
  readonly leftTime?: number
  readonly signInTimeout?: number
}

export const layer = (config: TrustSettings, limits: SessionLimits = {}) =>
  Layer.effect(
    MailSessions,
    Effect.gen(function* () {
      const logins = yield* MailLogins
      const context = yield* Effect.context()
      const [runFork, runSync] = [Effect.runForkWith(context), Effect.runSyncWith(context)]
      const hosts = yield* GuardedHost
      const secureContext = secureContextOf(config)
      const most = limits.sessions ?? maxSessions
      const patience = limits.workTimeout ?? workTimeout
      // Latest account row per id, for opening a session.
      const rows = new Map<number, Account>()
      // Users per session, least recently left first.
      const present = new Map<number, number>()
      const current = new Map<number, Session>()

      const open = (id: number): Effect.Effect<Session, SessionError, Scope.Scope> =>
        Effect.gen(function* () {
          const account = rows.get(id)!
          const server = yield* Effect.flatMap(Effect.mapError(logins.imap(account), unusable), hosts.dial)
          const { secret, user } = yield* Effect.mapError(logins.login(account), unusable)
          const value = Redacted.value(secret.value)
          const socket = new LibrarySocket(secureContext, () => {
            session.broken ??= { code: "ResponseTooLarge" }
            client.close()
          })
          // Loaded with the first session: with its tables of character sets it takes some megabytes.
          const { ImapFlow } = yield* Effect.promise(() => import("#protocols/imap-watch/LateImapFlow.ts"))
          const client = yield* Effect.acquireRelease(
            Effect.sync(
              () =>
                new ImapFlow({
                  host: server.host,
                  port: server.port,
                  ...(server.servername === undefined ? {} : { servername: server.servername }),
                  secure: true,
                  tls: socket.options,
                  auth: secret._tag === "Token" ? { user, accessToken: value } : { user, pass: value },
                  logger: false,
                  clientInfo: { name: "signalbox" },
                  disableAutoIdle: true,
                  disableAutoEnable: true,
                  disableCompression: true,
                  connectionTimeout,
                  greetingTimeout,
                  socketTimeout,
                  ...ofOneAnswer
                })
            ),
            (client) =>
              Effect.sync(() => {
                if (current.get(id)?.client === client) current.delete(id)
                if (present.get(id) === 0) {
                  present.delete(id)
                  rows.delete(id)
                }
                client.close()
              })
          )
          const session: Session = {
            client,
            raw: new RawCommands(client, socket),
            begin: () => socket.begin(),
            turn: Semaphore.makeUnsafe(1),
            target: targetOf(account),
            served: 0,
            broken: undefined
          }
          current.set(id, session)
          client.on("error", (error) => void (session.broken ??= error))
          client.on("close", () => {
            if (current.get(id) !== session) return
            current.delete(id)
            runFork(RcMap.invalidate(sessions, id))
          })
          yield* Effect.tryPromise({
            try: () => socket.connect(client),
            catch: (error) => sessionError(tooLarge(codeOf(session.broken)) ? session.broken : error, value)
          }).pipe(
            Effect.timeoutOrElse({
              duration: limits.signInTimeout ?? signInTimeout,
              orElse: () => Effect.fail(new MailServerUnavailable({ detail: "The mail server does not answer." }))
            })
          )
          return session
        })

      const sessions: RcMap.RcMap<number, Session, SessionError> = yield* RcMap.make({
        lookup: open,
        idleTimeToLive: limits.idle ?? idleSession
      })

      const enter = (id: number) =>
        Effect.suspend(() => {
          const users = present.get(id)
          if (users === undefined && present.size >= most) {
            const idle = Array.from(present).find(([, users]) => users === 0)?.[0]
            if (idle === undefined)
              return Effect.fail(
                new MailServerUnavailable({ detail: "Too many mailboxes are open right now. Try again." })
              )
            present.delete(idle)
            present.set(id, 1)
            return RcMap.invalidate(sessions, idle)
          }
          present.set(id, (users ?? 0) + 1)
          return Effect.void
        })

      const leave = (id: number): void => {
        const users = present.get(id)! - 1
        present.delete(id)
        if (users > 0 || current.has(id)) present.set(id, users)
        else rows.delete(id)
      }

      const session = (id: number): Effect.Effect<Session, SessionError, Scope.Scope> =>
        Effect.flatMap(RcMap.get(sessions, id).pipe(Effect.tapError(() => RcMap.invalidate(sessions, id))), (found) =>
          found.client.usable && found.target === targetOf(rows.get(id)!)
            ? Effect.succeed(found)
            : Effect.andThen(RcMap.invalidate(sessions, id), RcMap.get(sessions, id))
        )

      const once = <A>(account: Account, work: Work<A>, changesNothing: boolean): Effect.Effect<A, Failed> =>
        Effect.scoped(
          Effect.gen(function* () {
            const found = yield* Effect.mapError(session(account.id), (error) => ({ error }))
            yield* Effect.acquireRelease(
              found.turn
                .take(1)
                .pipe(
                  Effect.timeoutOrElse({
                    duration: turnTimeout,
                    orElse: () =>
                      Effect.fail({ error: new MailServerUnavailable({ detail: "The mailbox is busy. Try again." }) })
                  })
                ),
              () => found.turn.release(1),
              { interruptible: true }
            )
            const used = found.served++ > 0
            return yield* Effect.uninterruptibleMask((restore) => {
              found.begin()
              const running = within(found, patience, work)
              const outcome = Effect.tryPromise({
                try: () => running,
                catch: (error): Failed => {
                  const said = [found.broken, error].find((one) => unread(codeOf(one)))
                  if (said !== undefined) return { error: workError(said), again: "careful" }
                  // The connection was cut before this work, so the work had no effect.
                  return {
                    error: workError(error),
                    ...(used && !found.client.usable && !(error instanceof TooLong) ? { again: "same" } : {})
                  }
                }
              })
              return changesNothing
                ? Effect.onInterrupt(restore(outcome), () =>
                    Effect.promise(() => endWithin(found, limits.leftTime ?? leftTime, running))
                  )
                : outcome
            })
          })
        )

      return MailSessions.of({
        use: (account, work, { careful, repeat = false } = {}) =>
          // The mail server checks the state only at sign-in, so an open session of a suspended mailbox must be
          // closed.
          account.state === "suspended"
            ? Effect.andThen(RcMap.invalidate(sessions, account.id), suspended)
            : Effect.acquireUseRelease(
                Effect.andThen(
                  Effect.sync(() => rows.set(account.id, account)),
                  enter(account.id)
                ),
                () =>
                  once(account, work, repeat).pipe(
                    Effect.retry({ times: 1, while: ({ again }) => repeat && again === "same" }),
                    Effect.catch((failed) =>
                      failed.again === "careful" && careful !== undefined
                        ? once(account, careful, repeat)
                        : Effect.fail(failed)
                    ),
                    Effect.mapError(({ error }) => error)
                  ),
                () => Effect.sync(() => leave(account.id))
              ),
        useNow: (account, work) => {
          const { id } = account
          const found = current.get(id)
          // A session without finished work may still be signing in.
          if (
            found === undefined ||
            found.served === 0 ||
            !found.client.usable ||
            account.state === "suspended" ||
            found.target !== targetOf(account)
          )
            return undefined
          if (!runSync(found.turn.takeIfAvailable(1))) return undefined
          runSync(RcMap.touch(sessions, id))
          present.set(id, (present.get(id) ?? 0) + 1)
          found.served++
          found.begin()
          return within(found, patience, work).finally(() => {
            runFork(found.turn.release(1))
            leave(id)
          })
        },
        drop: (account) => RcMap.invalidate(sessions, account)
      })
    })
  )

const targetOf = ({ address, imap_host, imap_port, login }: Account): string =>
  JSON.stringify([address, imap_host, imap_port, login])

const suspended = Effect.fail(new MailSignInRefused({ detail: "The mailbox is suspended." }))
