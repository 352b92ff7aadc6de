/** A mail-watcher for tests without a mail server: signatures, contacts, recent recipients. */
import { Context, Effect, Layer } from "effect"
import type { Account } from "#daemons/mail-watcher/accounts/Account.ts"
import { mailWatcher } from "#daemons/mail-watcher/Daemon.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"

/** Headers of a user `user:<tenant>:<permission>`. The user's id is ten times the tenant's (FakeUsers). */
export const as = (tenant: number, held = "*") => ({ headers: { authorization: `Bearer user:${tenant}:${held}` } })

export class People extends Context.Service<People, TestSuite>()("test/People") {
  static readonly layer = Layer.effect(People, startSuite({ daemons: [mailWatcher], verifier: fakeUsers }))
}

let count = 0

/** Creates an account of the tenant's user, with a unique address. */
export const newAccount = Effect.fnUntraced(function* ({ sql }: Pick<TestSuite, "sql">, tenant: number) {
  const address = `person-${++count}@own${tenant}.test`
  const [row] = yield* sql<{ id: number }>`insert into mail_watcher.account (tenant_id, user_id, address, kind)
    values (${tenant}, ${tenant * 10}, ${address}, 'own') returning id`
  return { id: row!.id, tenant_id: tenant, address } satisfies Partial<Account>
})

/** Creates an account, and API calls of its owner that name the account. */
export const owner = Effect.fnUntraced(function* (tenant = 7) {
  const suite = yield* People
  const account = yield* newAccount(suite, tenant)
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    suite.call(
      method,
      `/api/v1/mail/${path}${path.includes("?") ? "&" : "?"}account=${encodeURIComponent(account.address)}`,
      { headers: { ...as(tenant).headers, ...headers }, ...(body === undefined ? {} : { body }) }
    )
  /** Creates an object by POST. */
  const make = (path: string, body: object) =>
    Effect.flatMap(send("POST", path, body), ({ json, status, text }) =>
      status === 201 ? Effect.succeed(json) : Effect.die(new Error(text))
    )
  /** Audit actions about this account. */
  const actions = Effect.map(
    suite.sql<{
      action: string
      detail: any
    }>`select action, detail from core.audit where detail->>'account' = ${account.address} order by id`,
    (found) => found.map(({ action, detail }) => `${action} ${detail.fields ?? detail.contacts ?? ""}`.trim())
  )
  return { account, suite, send, make, actions }
})
