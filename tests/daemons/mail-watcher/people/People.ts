/** A mail-watcher for tests of what needs no mail server: signatures, contacts, recent recipients. */
import { Context, Effect, Layer } from "effect"
import type { Account } from "#daemons/mail-watcher/accounts/Account.ts"
import { mailWatcher } from "#daemons/mail-watcher/Daemon.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"

/** Users are `user:<tenant>:<permission>`, whose number is ten times their tenant's (FakeUsers). */
export const as = (tenant: number, held = "*") => ({ headers: { authorization: `Bearer user:${tenant}:${held}` } })

export class People extends Context.Service<People, TestSuite>()("test/People") {
  static readonly layer = Layer.effect(People, startSuite({ daemons: [mailWatcher], verifier: fakeUsers }))
}

let count = 0

/** An account of that tenant's user, with an address that no other has. */
export const newAccount = Effect.fnUntraced(function* ({ sql }: Pick<TestSuite, "sql">, tenant: number) {
  const address = `person-${++count}@own${tenant}.test`
  const [row] = yield* sql<{ id: number }>`insert into mail_watcher.account (tenant_id, user_id, address, kind)
    values (${tenant}, ${tenant * 10}, ${address}, 'own') returning id`
  return { id: row!.id, tenant_id: tenant, address } satisfies Partial<Account>
})

/** A new account and calls of its owner; each names the account. */
export const owner = Effect.fnUntraced(function* (tenant = 7) {
  const suite = yield* People
  const account = yield* newAccount(suite, tenant)
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    suite.call(
      method,
      `/api/v1/mail/${path}${path.includes("?") ? "&" : "?"}account=${encodeURIComponent(account.address)}`,
      { headers: { ...as(tenant).headers, ...headers }, ...(body === undefined ? {} : { body }) }
    )
  /** A thing made by POST. */
  const make = (path: string, body: object) =>
    Effect.flatMap(send("POST", path, body), ({ json, status, text }) =>
      status === 201 ? Effect.succeed(json) : Effect.die(new Error(text))
    )
  /** What the audit log says of this account. */
  const actions = Effect.map(
    suite.sql<{
      action: string
      detail: any
    }>`select action, detail from core.audit where detail->>'account' = ${account.address} order by id`,
    (found) => found.map(({ action, detail }) => `${action} ${detail.fields ?? detail.contacts ?? ""}`.trim())
  )
  return { account, suite, send, make, actions }
})
