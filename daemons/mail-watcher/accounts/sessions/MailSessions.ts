/**
 * The one signed-in session by which an account is read and changed, shared by all who ask for it at the same time: made when somebody
 * reads, ended when nobody has for a while. Work on it is done one after the other, as IMAP has one selected folder; what takes long
 * (a large download) asks for its turn anew with each piece.
 */
import { Context, Duration, Effect, Layer, RcMap, Redacted, type Scope, Semaphore } from "effect"
import { ImapFlow } from "imapflow"
import type { Socket } from "node:net"
import type { Account } from "../Account.ts"
import { MailServerUnavailable, MailSignInRefused } from "../Errors.ts"
import { GuardedHost } from "../GuardedHost.ts"
import { MailLogins } from "../MailLogins.ts"
import type { TrustSettings } from "../Settings.ts"
import { secureContextOf } from "../TrustedCertificates.ts"
import { boundAnswers, ofOneAnswer } from "./AnswerLimits.ts"
import { readEsearch } from "./EsearchAnswers.ts"
import { RawCommands } from "./RawCommands.ts"
import { type SessionError, sessionError, tooLarge, unread, unusable, workError } from "./SessionError.ts"

export { type SessionError, sessionError } from "./SessionError.ts"

/** How long a session stays when nobody reads. Unit: seconds. Reason: a reader comes back within it; a mail server counts connections. */
export const idleSession = Duration.seconds(60)

/** Sessions of this process, idle ones too. Unit: sessions. Reason: each takes half a megabyte and a descriptor; idle ones give way. */
export const maxSessions = 256

/** One piece of work on a session; it is closed then. Unit: milliseconds. Reason: a search through a large folder without an index takes tens of seconds. */
export const workTimeout = 60_000

/** How long one waits for those before. Unit: seconds. Reason: whoever asked has given up by then. */
const turnTimeout = Duration.seconds(60)

/** From name look-up to TLS; to the greeting; silence while an answer is owed. Unit: milliseconds. */
const connectionTimeout = 15_000
const greetingTimeout = 15_000
const socketTimeout = 60_000

/** All of the sign-in. Unit: milliseconds. Reason: a server that says something now and then is never silent; a loaded one signs in within seconds. */
const signInTimeout = 45_000

/** `raw`: for answers that are to be read faster than the library does. */
export type Work<A> = (client: ImapFlow, raw: RawCommands) => Promise<A>

export interface UseOptions<A> {
  /** It changes nothing: when the session turns out to have been cut while it lay idle, it is done once more on a new one. Default false. */
  readonly repeat?: boolean
  /** Done in its target, on a new session, when the server's answer was longer than is read, or no lines of IMAP: `work` has to be one that changes nothing. */
  readonly careful?: Work<A>
}

export class MailSessions extends Context.Service<
  MailSessions,
  {
    /** Runs `work` alone on the account's session, to its end even if whoever asked goes away. What the library throws becomes one of the errors. */
    readonly use: <A>(account: Account, work: Work<A>, options?: UseOptions<A>) => Effect.Effect<A, SessionError>
    /** The same at once, for work that changes nothing; undefined: there is no session that stands idle. What the library throws is thrown: then `use` is the way. */
    readonly useNow: <A>(account: Account, work: Work<A>) => Promise<A> | undefined
    /** Ends the account's session, when it may no longer be used as it is; the next call makes a new one. */
    readonly drop: (account: number) => Effect.Effect<void>
  }
>()("signalbox/mail-watcher/MailSessions") {}

interface Session {
  readonly client: ImapFlow
  readonly raw: RawCommands
  /** What the server says from now on is counted. */
  readonly begin: () => void
  readonly turn: Semaphore.Semaphore
  /** Where it leads and as whom; the account may be moved elsewhere meanwhile. */
  readonly target: string
  /** Work that it was given. */
  served: number
  /** What broke it, as far as the library says. */
  broken: unknown
}

/** What tests set otherwise. */
export interface SessionLimits {
  readonly idle?: Duration.Duration
  readonly sessions?: number
  readonly workTimeout?: number
  readonly signInTimeout?: number
}

export const layer = (config: TrustSettings, limits: SessionLimits = {}) =>
  Layer.effect(
    MailSessions,
    Effect.gen(function* () {
      const logins = yield* MailLogins
      const hosts = yield* GuardedHost
      const secureContext = secureContextOf(config)
      const most = limits.sessions ?? maxSessions
      const patience = limits.workTimeout ?? workTimeout
      // Keyed by number: the account's row is what was read for this request.
      const rows = new Map<number, Account>()
      // Who stands at each, and in which order they were left.
      const present = new Map<number, number>()
      const current = new Map<number, Session>()

      const open = (id: number): Effect.Effect<Session, SessionError, Scope.Scope> =>
        Effect.gen(function* () {
          const account = rows.get(id)!
          const server = yield* Effect.flatMap(Effect.mapError(logins.imap(account), unusable), hosts.dial)
          const { secret, user } = yield* Effect.mapError(logins.login(account), unusable)
          const value = Redacted.value(secret.value)
          const client = yield* Effect.acquireRelease(
            Effect.sync(
              () =>
                new ImapFlow({
                  host: server.host,
                  port: server.port,
                  ...(server.servername === undefined ? {} : { servername: server.servername }),
                  secure: true,
                  tls: { secureContext },
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
          readEsearch(client)
          const raw = new RawCommands(client)
          const begin = boundAnswers(client, () => {
            session.broken ??= { code: "ResponseTooLarge" }
            client.close()
          })
          const session: Session = {
            client,
            raw,
            begin,
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
            Effect.runFork(RcMap.invalidate(sessions, id))
          })
          yield* Effect.tryPromise({
            try: () => client.connect(),
            catch: (error) => sessionError(tooLarge(codeOf(session.broken)) ? session.broken : error, value)
          }).pipe(
            Effect.timeoutOrElse({
              duration: limits.signInTimeout ?? signInTimeout,
              orElse: () => Effect.fail(new MailServerUnavailable({ detail: "The mail server does not answer." }))
            })
          )
          // The library says a command in several writes: each second one would wait 40 ms for the server's delayed acknowledgement of the first.
          ;(client as unknown as { readonly socket: Socket }).socket.setNoDelay(true)
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
              return Effect.fail(new MailServerUnavailable({ detail: "Too many mailboxes are being read." }))
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

      const once = <A>(account: Account, work: Work<A>): Effect.Effect<A, Failed> =>
        Effect.scoped(
          Effect.gen(function* () {
            const found = yield* Effect.mapError(session(account.id), (error) => ({ error }))
            yield* Effect.acquireRelease(
              found.turn
                .take(1)
                .pipe(
                  Effect.timeoutOrElse({
                    duration: turnTimeout,
                    orElse: () => Effect.fail({ error: new MailServerUnavailable({ detail: "The mailbox is busy." }) })
                  })
                ),
              () => found.turn.release(1),
              { interruptible: true }
            )
            const used = found.served++ > 0
            return yield* Effect.uninterruptible(
              Effect.tryPromise({
                try: () => {
                  found.begin()
                  return within(found, patience, work)
                },
                catch: (error): Failed => {
                  const said = [found.broken, error].find((one) => unread(codeOf(one)))
                  if (said !== undefined) return { error: workError(said), again: "careful" }
                  // Cut before this work, which then never got through.
                  return {
                    error: workError(error),
                    ...(used && !found.client.usable && !(error instanceof TooLong) ? { again: "same" } : {})
                  }
                }
              })
            )
          })
        )

      return MailSessions.of({
        use: (account, work, { careful, repeat = false } = {}) =>
          // A session that stands would go on: the mail server asks at the sign-in alone.
          account.state === "suspended"
            ? Effect.andThen(RcMap.invalidate(sessions, account.id), suspended)
            : Effect.acquireUseRelease(
                Effect.andThen(
                  Effect.sync(() => rows.set(account.id, account)),
                  enter(account.id)
                ),
                () =>
                  once(account, work).pipe(
                    Effect.retry({ times: 1, while: ({ again }) => repeat && again === "same" }),
                    Effect.catch((failed) =>
                      failed.again === "careful" && careful !== undefined ? once(account, careful) : Effect.fail(failed)
                    ),
                    Effect.mapError(({ error }) => error)
                  ),
                () => Effect.sync(() => leave(account.id))
              ),
        useNow: (account, work) => {
          const { id } = account
          const found = current.get(id)
          // One that nobody was at yet may still be signing in.
          if (
            found === undefined ||
            found.served === 0 ||
            !found.client.usable ||
            account.state === "suspended" ||
            found.target !== targetOf(account)
          )
            return undefined
          if (!Effect.runSync(found.turn.takeIfAvailable(1))) return undefined
          Effect.runSync(RcMap.touch(sessions, id))
          present.set(id, (present.get(id) ?? 0) + 1)
          found.served++
          found.begin()
          return within(found, patience, work).finally(() => {
            Effect.runFork(found.turn.release(1))
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

interface Failed {
  readonly error: SessionError
  /** `same`: it may be done once more; `careful`: only so that the server says less. */
  readonly again?: "same" | "careful"
}

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | undefined)?.code

class TooLong extends Error {}

/** The work, or its end: closing the session fails whatever it still waits for. */
const within = async <A>({ client, raw }: Session, patience: number, work: Work<A>): Promise<A> => {
  let late = false
  const timer = setTimeout(() => {
    late = true
    client.close()
  }, patience)
  try {
    const done = await work(client, raw)
    // The library ends some calls of a closed session as if they were done.
    if (late) throw new TooLong()
    return done
  } catch (error) {
    throw late ? new TooLong() : error
  } finally {
    clearTimeout(timer)
  }
}
