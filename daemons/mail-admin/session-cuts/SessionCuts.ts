/**
 * Ends open Dovecot sessions of a mailbox that is suspended, deleted or gets a new password; signed-in mail programs
 * would otherwise stay connected. A durable job, sent in the transaction of the change, so that an outage of Dovecot
 * does not lose it. Each change ends sessions twice: the second time catches clients that reconnected before the mail
 * server knew of the change.
 */
import { Context, Duration, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { settings } from "#core/config/Environment.ts"
import type { Component } from "#core/daemon/Health.ts"
import { define, Jobs } from "#core/jobs/Jobs.ts"
import { type DoveadmServer, kick } from "#protocols/doveadm/DoveadmApi.ts"
import { sessionSettings } from "./SessionSettings.ts"

/** Delay of the second time. Reason: token checks lag by at most a second, and Dovecot caches password look-ups. */
export const again = Duration.seconds(10)

/**
 * How long the job is retried. Reason: covers a weekend. Sessions open at the change have ended by then, or the mail
 * server was restarted.
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
     * Ends the sessions of a mailbox after the surrounding transaction commits. Does nothing when doveadm is not
     * configured.
     */
    readonly cut: (address: string) => Effect.Effect<void, SqlError.SqlError>
  }
>()("signalbox/mail-admin/SessionCuts") {}

/** Sends the jobs, which a running daemon carries out. For commands. */
export const sender = Layer.effect(
  SessionCuts,
  Effect.gen(function* () {
    const { doveadmKey: key, doveadmUrl: url } = yield* settings(sessionSettings)
    if (url === undefined || key === undefined) return SessionCuts.of({ configured: false, cut: () => Effect.void })
    const jobs = yield* Jobs
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

/** Sends the jobs and carries them out. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { doveadmKey: key, doveadmUrl: url } = yield* settings(sessionSettings)
    if (url !== undefined && key !== undefined)
      yield* Jobs.worker({ type: CutSessions, handle: ({ data }) => cutNow({ url, key }, data) })
    return sender
  })
)

const cutNow = (server: DoveadmServer, { address, until }: typeof CutSessions.data.Type) =>
  until.getTime() < Date.now()
    ? Effect.logError(
        `the sessions of ${address} are not ended: doveadm did not answer for ${Duration.toDays(triedFor)} days; ` +
          `run on the mail server: doveadm kick ${address}`
      )
    : kick(server, address)

/** Health component `session_cuts`. */
export const component = Effect.map(SessionCuts, ({ configured }): Component =>
  configured
    ? { status: "ok" }
    : { status: "unconfigured", detail: "SIGNALBOX_DOVEADM_URL is unset: sessions of a suspended mailbox stay open" }
)

/** Ends the sessions of a mailbox after the surrounding transaction commits. */
export const cutSessions = (address: string) => Effect.flatMap(SessionCuts, ({ cut }) => cut(address))
