/**
 * Cuts what is open when a mailbox is closed, deleted or gets another password: mail programs that are signed in would stay so. A
 * durable job written in the transaction of the change, so that no outage of Dovecot's forgets it. Each change cuts twice: whoever
 * comes back between the first time and the moment the mail server knows of the change is found the second time.
 */
import { Context, Duration, Effect, Layer, type Redacted, Schema } from "effect"
import type { SqlError } from "effect/sql"
import * as Jobs from "#core/jobs/Jobs.ts"
import type { ActorSpec } from "#core/supervision/Supervisor.ts"
import { type DoveadmServer, kick } from "#protocols/doveadm/DoveadmApi.ts"

/** When it is done again. Reason: a token is judged by a picture of at most a second, a password by Dovecot's own memory of failed look-ups. */
export const again = Duration.seconds(10)

/** How long it is tried. Reason: a weekend. What was open at the change has ended by then, or the mail server was restarted. */
export const triedFor = Duration.days(3)

const CutSessions = Jobs.define(
  "mail.sessions.cut",
  Schema.Struct({ address: Schema.String, until: Schema.DateFromString })
)

/** For the engine. */
export const cutQueue = CutSessions.queue

export class SessionCuts extends Context.Service<
  SessionCuts,
  {
    readonly configured: boolean
    /** Has the sessions of a mailbox cut once the surrounding transaction is committed; where nothing is configured, does nothing. */
    readonly cut: (address: string) => Effect.Effect<void, SqlError.SqlError>
    readonly actors: ReadonlyArray<ActorSpec>
  }
>()("signalbox/mail-admin/SessionCuts") {}

export const layer = (settings: {
  readonly doveadmUrl: string | undefined
  readonly doveadmKey: Redacted.Redacted | undefined
}) =>
  Layer.effect(
    SessionCuts,
    Effect.map(Jobs.Jobs, (jobs) => {
      const { doveadmKey: key, doveadmUrl: url } = settings
      if (url === undefined || key === undefined)
        return SessionCuts.of({ configured: false, cut: () => Effect.void, actors: [] })
      const server: DoveadmServer = { url, key }
      return SessionCuts.of({
        configured: true,
        cut: (address) =>
          Effect.suspend(() => {
            const now = Date.now()
            const data = { address, until: new Date(now + Duration.toMillis(triedFor)) }
            return jobs.send(CutSessions, [{ data }, { data, startAfter: new Date(now + Duration.toMillis(again)) }])
          }),
        actors: [
          jobs.worker({
            type: CutSessions,
            handle: ({ data: { address, until } }) =>
              until.getTime() < Date.now()
                ? Effect.logError(
                    `the sessions of ${address} were not cut: doveadm has not answered for ${Duration.toDays(triedFor)} days`
                  )
                : kick(server, address)
          })
        ]
      })
    })
  )

/** Has the sessions of a mailbox cut, with the surrounding transaction. */
export const cutSessions = (address: string) => Effect.flatMap(SessionCuts, ({ cut }) => cut(address))
