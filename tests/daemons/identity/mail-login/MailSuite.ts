/** identity with a test key, mail accounts announced by events, and requests of a mail server. */
import { Effect } from "effect"
import * as Store from "#core/auth/ServiceTokenStore.ts"
import { SqlClient } from "effect/sql"
import { Redacted } from "effect"
import type { MailAccount } from "#core/contracts/MailAccounts.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { startSuite, type StartOptions, type TestSuite } from "#support/TestSuite.ts"
import { testKey } from "#support/TestKey.ts"

export const path = "/api/v1/auth/token/introspect"

let version = 0

/** Announces an account like mail-admin: an event, and its notification unless `announce` is false. */
export const tell = (sql: TestSuite["sql"], account: Partial<MailAccount>, announce = true) =>
  Effect.gen(function* () {
    const data: MailAccount = {
      account_id: 1,
      address: "u@x.test",
      user_id: 7,
      tenant_id: 2,
      state: "active",
      is_default: true,
      version: ++version,
      ...account
    }
    yield* sql`insert into core.event (type, source, tenant_id, data) values ('mail.account.changed', 'test', ${data.tenant_id}, ${sql.json(data)})`
    if (announce) yield* sql`select pg_notify('signalbox', 'event')`
    return data
  })

export const startMail = Effect.fnUntraced(function* (options: Partial<StartOptions> = {}) {
  const suite = yield* startSuite({ daemons: [identity], ...options })
  const key = yield* testKey(suite.sql)
  const { token } = yield* Store.create({ name: "dovecot", scopes: ["introspection"] }).pipe(
    Effect.provideService(SqlClient.SqlClient, suite.sql)
  )
  const secret = Redacted.value(token)
  const basic = `Basic ${Buffer.from(`dovecot:${secret}`).toString("base64")}`
  /** Sends an introspection request like a mail server. `form` replaces the default body. */
  const ask = (
    mailToken: string,
    how: { readonly headers?: Record<string, string>; readonly form?: string; readonly base?: string } = {}
  ) =>
    Effect.promise(async () => {
      const response = await fetch(`${how.base ?? suite.base("identity")}${path}`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", authorization: basic, ...how.headers },
        body: how.form ?? `token=${encodeURIComponent(mailToken)}`
      })
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        text,
        json: text.startsWith("{") ? JSON.parse(text) : undefined
      }
    })
  return {
    ...suite,
    key,
    secret,
    basic,
    ask,
    tell: (account: Partial<MailAccount> = {}, announce = true) => tell(suite.sql, account, announce)
  }
})
