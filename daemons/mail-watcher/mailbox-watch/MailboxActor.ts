/**
 * Actor of one mailbox: connects, compares, listens, and reconnects after a lost connection. A lazy mailbox connects
 * when its server reports new mail. A mailbox beyond the connection limit connects for one scan at a time.
 *
 * Errors of a mail server do not fail the actor: it records the reason, waits and retries. Only our own database fails
 * it.
 */
import { Duration, Effect, Queue, Random, Redacted, Result, type Scope } from "effect"
import type { PgClient } from "@effect/sql-pg"
import { SqlError, type SqlClient } from "effect/sql"
import * as Backoff from "#core/supervision/Backoff.ts"
import type { Events } from "#core/events/Events.ts"
import { StorageUnavailable } from "#core/sql/Sql.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import type { Change } from "#protocols/imap-watch/Folders.ts"
import { ImapWatchError } from "#protocols/imap-watch/ImapWatchError.ts"
import type { Login, SaslLogin } from "#protocols/imap-watch/Credentials.ts"
import { connect } from "#protocols/imap-watch/WatchConnection.ts"
import type { Mode } from "#protocols/imap-watch/WatchOptions.ts"
import * as OAuthBearer from "#protocols/sasl/OAuthBearer.ts"
import * as XOAuth2 from "#protocols/sasl/XOAuth2.ts"
import { GuardedHost, type MailLogin, MailLogins } from "../accounts/Exports.ts"
import type { WatchDependencies } from "./MailboxWatch.ts"
import { MailboxReporter } from "./MailboxReporter.ts"
import type { WatchMode } from "./WatchStatus.ts"
import * as WatchStore from "./WatchStore.ts"
import type { WatchedMailbox } from "./WatchedMailbox.ts"

/**
 * Backoff for unreachable mail servers and lost connections. Reason: reconnects within a minute of the server's return.
 */
export const lostConnection: Backoff.Backoff = {
  name: "lost connection",
  base: Duration.seconds(1),
  max: Duration.seconds(30),
  jitter: 0.3
}

/**
 * Backoff for refused sign-ins. Reason: mail servers penalise repeated failures. A change of the account wakes the
 * actor at once.
 */
export const refusedSignIn: Backoff.Backoff = {
  name: "refused sign-in",
  base: Duration.seconds(30),
  max: Duration.minutes(15),
  jitter: 0.3
}

/** Duration of a connection after which earlier losses no longer count. Unit: milliseconds. */
const settledAfter = 30_000

/** Interval between two visits. Source: interface document 1 §6, polling every 60 seconds. */
const visitEvery = Duration.seconds(60)

/**
 * Longest interval between two progress reports of an idle mailbox. Reason: scans start every 5 minutes and end within
 * 10.
 */
const progressInterval = Duration.minutes(5)

/** Silence after which the actor counts as stalled. Reason: three missed progress reports. */
const stallAfter = Duration.minutes(20)

/** How long the actor retries the database before it fails, which closes the connection. */
const storagePatience = Duration.seconds(30)

export type MailboxActorServices = PgClient.PgClient | SqlClient.SqlClient | Events | MailLogins | GuardedHost

/** The mailbox cannot be watched now. `refused`: only a change of the account helps. */
interface Failure {
  readonly _tag: "Failure"
  readonly refused: boolean
  readonly detail: string
}

export const mailboxActor = (
  mailbox: WatchedMailbox,
  dependencies: WatchDependencies
): ActorSpec<MailboxActorServices> => ({
  name: mailbox.name,
  crowd: true,
  stallAfter,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    let lostConnections = 0
    let refusals = 0
    while (true) {
      if (mailbox.account.watch === "lazy" && mailbox.stayUntil <= Date.now()) {
        yield* enterMode(mailbox, { mode: "lazy" })
        if (!(yield* mailbox.wait(progressInterval))) {
          yield* actor.progress
          continue
        }
      }
      const begun = Date.now()
      const ended = yield* Effect.result(Effect.scoped(session(mailbox, dependencies)))
      if (Result.isSuccess(ended)) {
        lostConnections = 0
        refusals = 0
        if (ended.success === "visited") yield* pause(mailbox, visitEvery)
        continue
      }
      const failure = ended.failure
      if (failure._tag !== "Failure") return yield* failure
      if (Date.now() - begun > settledAfter) lostConnections = 0
      const backoff = failure.refused ? refusedSignIn : lostConnection
      const wait = Backoff.delay(backoff, failure.refused ? ++refusals : ++lostConnections, yield* Random.next)
      yield* actor.note(
        `${failure.detail}; next attempt in ${Math.round(Duration.toSeconds(wait))} s (${backoff.name})`
      )
      yield* enterMode(mailbox, {
        mode: "failed",
        failure: failure.detail,
        nextTry: new Date(Date.now() + Duration.toMillis(wait))
      })
      yield* pause(mailbox, wait)
    }
  }).pipe(Effect.ensuring(Effect.sync(() => (mailbox.connection = undefined))))
})

/** Waits for the duration, or until the mailbox is woken. */
const pause = Effect.fnUntraced(function* (mailbox: WatchedMailbox, duration: Duration.Duration) {
  const actor = yield* Actor
  const until = Date.now() + Duration.toMillis(duration)
  for (let left = until - Date.now(); left > 0; left = until - Date.now()) {
    yield* actor.progress
    if (yield* mailbox.wait(Duration.min(Duration.millis(left), progressInterval))) return
  }
})

/**
 * Reports progress while `waiting` runs. A slow mail server may take any time, and a stalled actor would make the
 * watchdog end the process with all its mailboxes.
 */
const withProgress = <A, E, R>(waiting: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Actor> =>
  Effect.flatMap(Actor, (actor) =>
    Effect.raceFirst(waiting, Effect.forever(Effect.andThen(Effect.sleep(progressInterval), actor.progress)))
  )

const session = (
  mailbox: WatchedMailbox,
  dependencies: WatchDependencies
): Effect.Effect<"visited", Failure | StorageUnavailable, MailboxActorServices | Actor | Scope.Scope> =>
  Effect.gen(function* () {
    const actor = yield* Actor
    const { account } = mailbox
    const logins = yield* MailLogins
    yield* enterMode(mailbox, { mode: "connecting" })
    const server = yield* asFailure(logins.imap(account), true)
    const admitted = yield* withProgress(dependencies.connections.acquire(server.host, server.foreign))
    const connection = yield* withProgress(
      dependencies.connections.signIn(
        server.host,
        server.foreign,
        Effect.gen(function* () {
          yield* actor.progress
          yield* actor.note(`connecting to ${server.host}`)
          const target = yield* asFailure((yield* GuardedHost).dial(server), false)
          // Created inside the sign-in limit, because a token expires after minutes.
          const login = yield* Effect.catchTag(asFailure(logins.login(account), true), "SqlError", (error) =>
            storageAway(error.message)
          )
          return yield* asFailure(
            connect({
              ...target,
              secureContext: dependencies.secureContext,
              login: loginOf(login, target.servername ?? target.host, target.port),
              ...(dependencies.pollEvery === undefined ? {} : { lookEvery: dependencies.pollEvery })
            }),
            false
          )
        })
      )
    )
    const reporter = new MailboxReporter(
      account,
      connection,
      yield* retryStorage(WatchStore.load(account)),
      mailbox.rateLimiter
    )
    yield* Effect.addFinalizer(() => Effect.sync(() => (mailbox.connection = undefined)))
    mailbox.connection = connection
    let lastMode: WatchMode | undefined
    let folders: number | undefined
    while (true) {
      const changes = yield* nextChanges(mailbox, admitted, connection.changes)
      if (changes === undefined) return "visited" as const
      yield* actor.progress
      yield* withProgress(report(reporter, changes))
      const mode = modeOf(mailbox, connection.mode)
      if (reporter.folders !== undefined && (mode !== lastMode || reporter.folders !== folders)) {
        lastMode = mode
        folders = reporter.folders
        yield* actor.note(`${mode} on ${folders} folders`)
        yield* enterMode(mailbox, { mode, folders })
      }
      if (admitted === "visit" && reporter.folders !== undefined) return "visited" as const
    }
  })

/** Next changes. Undefined: the lazy mailbox should disconnect. */
const nextChanges = (
  mailbox: WatchedMailbox,
  admitted: "stay" | "visit",
  changes: Queue.Dequeue<Change, ImapWatchError>
): Effect.Effect<ReadonlyArray<Change> | undefined, Failure> =>
  Effect.gen(function* () {
    const next = asFailure(Queue.takeAll(changes), false)
    if (admitted === "visit" || mailbox.account.watch === "always") return yield* next
    while (true) {
      const left = mailbox.stayUntil - Date.now()
      if (left <= 0) return undefined
      const found = yield* Effect.timeoutOption(next, Duration.millis(left))
      if (found._tag === "Some") return found.value
    }
  })

/** Retries after a database error. The failed transaction changed nothing, so repeating the whole call is safe. */
const report = (reporter: MailboxReporter, changes: ReadonlyArray<Change>) =>
  retryStorage(asFailure(reporter.handle(changes), false))

const modeOf = (mailbox: WatchedMailbox, mode: Mode): WatchMode => (mode === "poll" && mailbox.isPushed ? "push" : mode)

const enterMode = (mailbox: WatchedMailbox, state: WatchStore.StatusChange) =>
  Effect.suspend(() => {
    if (mailbox.mode === state.mode && state.mode === "lazy") return Effect.void
    mailbox.mode = state.mode
    return retryStorage(WatchStore.storeStatus(mailbox.account, state))
  })

const retryStorage = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError.SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError> | StorageUnavailable, R> => {
  const deadline = Date.now() + Duration.toMillis(storagePatience)
  const attempt = (tries: number): Effect.Effect<A, Exclude<E, SqlError.SqlError> | StorageUnavailable, R> =>
    Effect.catch(effect, (error) => {
      if (!SqlError.isSqlError(error)) return Effect.fail(error as Exclude<E, SqlError.SqlError>)
      if (Date.now() > deadline) return storageAway(error.message)
      return Effect.andThen(
        Effect.sleep(Backoff.delay(Backoff.eager, tries, 0.5)),
        Effect.suspend(() => attempt(tries + 1))
      )
    })
  return Effect.suspend(() => attempt(1))
}

const storageAway = (detail: string) => Effect.fail(new StorageUnavailable({ detail }))

/** Converts an error of the mail server or of its login. `refused` applies to errors that are not the connection's. */
const asFailure = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E, R>,
  refused: boolean
): Effect.Effect<A, Extract<E, SqlError.SqlError> | Failure, R> =>
  Effect.mapError(effect, (error) => {
    if (SqlError.isSqlError(error)) return error as Extract<E, SqlError.SqlError>
    if (error instanceof ImapWatchError) {
      return {
        _tag: "Failure",
        refused: error.reason._tag === "Refused" && !error.retryable,
        detail: error.message
      } satisfies Failure
    }
    const { detail, message } = error as unknown as { readonly detail?: string; readonly message?: string }
    // On its first day identity creates the signing key while this daemon starts.
    return {
      _tag: "Failure",
      refused: refused && error._tag !== "NoSigningKey",
      detail: detail ?? message ?? error._tag
    } satisfies Failure
  })

/** Token login with the mechanisms that the server may offer, or password login. */
const loginOf = ({ secret, user }: MailLogin, host: string, port: number): Login => {
  if (secret._tag === "Password") return { _tag: "Password", user, password: secret.value }
  const token = { user, token: Redacted.value(secret.value) }
  const sasl = (
    mechanism: string,
    errorAnswer: string,
    cursor: Result.Result<string, unknown>
  ): ReadonlyArray<SaslLogin> =>
    Result.isFailure(cursor)
      ? []
      : [{ _tag: "Sasl", mechanism, errorAnswer, response: Redacted.make(cursor.success, { label: "mail token" }) }]
  return {
    _tag: "Offered",
    of: [
      ...sasl(OAuthBearer.name, OAuthBearer.errorAnswer, OAuthBearer.encode({ ...token, host, port })),
      ...sasl(XOAuth2.name, XOAuth2.errorAnswer, XOAuth2.encode(token))
    ]
  }
}
