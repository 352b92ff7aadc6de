/**
 * Token introspection: identity over a Postgres that can become unreachable, behind a port that can be shut or silent.
 * With users who sign in and mailboxes announced by events.
 */
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as ServiceTokenStore from "#core/auth/ServiceTokenStore.ts"
import * as AwayPostgres from "#support/AwayPostgres.ts"
import * as Door from "#support/Door.ts"
import { until } from "#support/Frame.ts"
import type { TokenCheck } from "#support/peers/DovecotSnippet.ts"
import { testKey } from "#support/TestKey.ts"
import { answered } from "../daemons/identity/mail-login/Answered.ts"
import { tell } from "../daemons/identity/mail-login/MailSuite.ts"
import { password, signInSuite } from "../daemons/identity/SignInSuite.ts"

/** `database`: no database; `silent`: accepts requests but never answers; `gone`: refuses connections. */
export type Outage = "database" | "silent" | "gone"

/** A person with one mailbox. Its address is also the sign-in name. */
export interface MailUser {
  readonly address: string
  /** A fresh mail token, requested after a sign-in like a mail client does. */
  readonly token: Effect.Effect<string>
  /** An expired mail token. */
  readonly expiredToken: Effect.Effect<string>
  /** Signs out everywhere, which revokes all mail tokens issued so far. */
  readonly signOut: Effect.Effect<void>
  /** Suspends the mailbox. `unheard`: the state is written, but the notification is lost. */
  readonly suspend: (how?: "unheard") => Effect.Effect<void>
  readonly unsuspend: Effect.Effect<void>
}

export class Introspection extends Context.Service<
  Introspection,
  {
    /** Settings for the files of config/dovecot. */
    readonly check: TokenCheck
    readonly user: Effect.Effect<MailUser>
    /** Starts an outage until `back` or the end of the scope. */
    readonly away: (how: Outage) => Effect.Effect<void, never, Scope.Scope>
    readonly back: Effect.Effect<void>
    /** Ends the connections that deliver changes; they reconnect by themselves. */
    readonly loseFeed: Effect.Effect<void>
  }
>()("test/Introspection") {
  static readonly layer = Layer.effect(
    Introspection,
    Effect.gen(function* () {
      const postgres = yield* AwayPostgres.make
      const identity = yield* signInSuite({ database: postgres.database })
      const { sql } = identity
      const key = yield* testKey(sql)
      const door = yield* Door.make({ port: Number(new URL(identity.base("identity")).port) })
      const { token: clientSecret } = yield* ServiceTokenStore.create({
        name: "dovecot",
        scopes: ["introspection"]
      }).pipe(Effect.provideService(SqlClient.SqlClient, sql))

      const user = Effect.gen(function* () {
        const { id, email: address } = yield* identity.account()
        const account = { address, user_id: id, tenant_id: 1, account_id: id }
        const sessions: Array<string> = []
        yield* tell(sql, account)
        const made: MailUser = {
          address,
          token: Effect.gen(function* () {
            const signedIn = yield* identity.login(address, password)
            if (signedIn.status !== 200) return yield* Effect.die(new Error(`no sign-in: ${signedIn.text}`))
            const bearer = signedIn.json.access_token as string
            sessions.push(bearer)
            const given = yield* answered(identity.post("mail-token", {}, { bearer }))
            if (given.status !== 200) return yield* Effect.die(new Error(`no mail token: ${given.text}`))
            return given.json.access_token as string
          }),
          expiredToken: Effect.promise(() =>
            key.mail({ userId: id, tenantId: 1, email: address, expires: Math.floor(Date.now() / 1000) - 1 })
          ),
          signOut: Effect.suspend(() =>
            Effect.forEach(sessions, (bearer) => identity.post("logout", undefined, { bearer }), { discard: true })
          ),
          suspend: (how) =>
            Effect.asVoid(Effect.orDie(tell(sql, { ...account, state: "suspended" }, how === undefined))),
          unsuspend: Effect.asVoid(Effect.orDie(tell(sql, account)))
        }
        return made
      }).pipe(Effect.orDie)

      // The outage ends when Postgres accepts connections again. Its recovery time is not part of the test.
      const connects = Effect.match(sql`select 1`, { onFailure: () => false, onSuccess: () => true })
      const back = Effect.all([postgres.back, door.set("open"), until("Postgres is back", connects, 60)], {
        discard: true
      })
      return {
        check: { server: `127.0.0.1:${door.port}`, clientId: "dovecot", clientSecret: Redacted.value(clientSecret) },
        user,
        away: (how) =>
          Effect.acquireRelease(
            how === "database" ? postgres.away : door.set(how === "silent" ? "mute" : "shut"),
            () => back
          ),
        back,
        loseFeed: Effect.orDie(sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query ilike 'listen%' and pid <> pg_backend_pid()`).pipe(
          Effect.tap((rows) => (rows.length === 0 ? Effect.die(new Error("nobody listens")) : Effect.void)),
          Effect.asVoid
        )
      }
    })
  )
}
