/**
 * Cuts what is open when a mailbox is closed, deleted or gets another password: mail programs that are signed in would
 * stay so. A durable job written in the transaction of the change, so that no outage of Dovecot's forgets it. Each
 * change cuts twice: whoever comes back between the first time and the moment the mail server knows of the change is
 * found the second time.
 */
import { Context, Duration, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { settings } from "#core/config/Environment.ts"
import type { Component } from "#core/daemon/Health.ts"
import { define, Jobs } from "#core/jobs/Jobs.ts"
import { type DoveadmServer, kick } from "#protocols/doveadm/DoveadmApi.ts"
import { sessionSettings } from "./SessionSettings.ts"

/**
 * When it is done again. Reason: a token is judged by a picture of at most a second, a password by Dovecot's own memory
 * of failed look-ups.
 */
export const again = Duration.seconds(10)

/**
 * How long it is tried. Reason: a weekend. What was open at the change has ended by then, or the mail server was
 * restarted.
 */
export const triedFor = Duration.days(3)

export const CutSessions = define(
  "mail.sessions.cut",
  Schema.Struct({ address: Schema.String, until: Schema.DateFromString })
)

export class SessionCuts extends Context.Service<
  SessionCuts,
  {
    readonly configured: boolean
    /**
     * Has the sessions of a mailbox cut once the surrounding transaction is committed; where nothing is configured,
     * does nothing.
     */
    readonly cut: (address: string) => Effect.Effect<void, SqlError.SqlError>
  }
>()("signalbox/mail-admin/SessionCuts") {}

export const layer = Layer.effect(
  SessionCuts,
  Effect.gen(function* () {
    const { doveadmKey: key, doveadmUrl: url } = yield* settings(sessionSettings)
    if (url === undefined || key === undefined) return SessionCuts.of({ configured: false, cut: () => Effect.void })
    const jobs = yield* Jobs
    yield* Jobs.worker({ type: CutSessions, handle: ({ data }) => cutNow({ url, key }, data) })
    return SessionCuts.of({
      configured: true,
      cut: (address) =>
        Effect.suspend(() => {
          const now = Date.now()
          const data = { address, until: new Date(now + Duration.toMillis(triedFor)) }
          return jobs.send(CutSessions, [{ data }, { data, startAfter: new Date(now + Duration.toMillis(again)) }])
        })
    })
  })
)

const cutNow = (server: DoveadmServer, { address, until }: typeof CutSessions.data.Type) =>
  until.getTime() < Date.now()
    ? Effect.logError(
        `the sessions of ${address} were not cut: doveadm has not answered for ${Duration.toDays(triedFor)} days`
      )
    : kick(server, address)

/** Health component `session_cuts`. */
export const component = Effect.map(SessionCuts, ({ configured }): Component =>
  configured
    ? { status: "ok" }
    : { status: "unconfigured", detail: "SIGNALBOX_DOVEADM_URL unset: sessions of a suspended mailbox stay open" }
)

/** Has the sessions of a mailbox cut, with the surrounding transaction. */
export const cutSessions = (address: string) => Effect.flatMap(SessionCuts, ({ cut }) => cut(address))
