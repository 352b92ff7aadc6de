/** identity with two tenants in addition to the provider, and callers of every kind. */
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { Role } from "#core/auth/Roles.ts"
import * as Store from "#core/auth/ServiceTokenStore.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { testKey } from "#support/TestKey.ts"
import { type Answer, type StartOptions, startSuite } from "#support/TestSuite.ts"

/** A person with an account and a session. */
export interface Somebody {
  readonly id: number
  readonly tenant: number
  readonly email: string
  readonly session: string
  readonly bearer: string
}

export const managementSuite = Effect.fnUntraced(function* (options: Partial<StartOptions> = {}) {
  const suite = yield* startSuite({ daemons: [identity], ...options })
  const { call, sql } = suite
  const key = yield* testKey(sql)
  let count = 0

  const tenant = (name = `tenant ${++count}`) =>
    Effect.map(
      sql<{ id: number }>`insert into identity.tenant (name) values (${name}) returning id`,
      ([row]) => row!.id
    )

  /** Creates a session of an account, and an access token for it. */
  const session = Effect.fnUntraced(function* (of: { readonly id: number; readonly tenant: number }, role: Role) {
    const session = randomUUID()
    yield* sql`insert into identity.session (id, tenant_id, account_id, methods, expires_at)
      values (${session}, ${of.tenant}, ${of.id}, '{password}', now() + interval '1 day')`
    const bearer = yield* Effect.promise(() => key.access({ userId: of.id, tenantId: of.tenant, role, session }))
    return { session, bearer }
  })

  /** Creates a signed-in person. */
  const somebody = Effect.fnUntraced(function* (tenant: number, role: Role, email = `person${++count}@example.org`) {
    const [row] = yield* sql<{ id: number }>`insert into identity.account (tenant_id, email, name, role)
      values (${tenant}, ${email}, ${`Person ${count}`}, ${role}) returning id`
    const of = { id: row!.id, tenant, email }
    return { ...of, ...(yield* session(of, role)) } satisfies Somebody as Somebody
  })

  /** Creates a service token with these scopes. */
  const program = (...scopes: ReadonlyArray<Store.Scope>) =>
    Store.create({ name: "test", scopes }).pipe(
      Effect.map(({ token }) => ({ token: Redacted.value(token) })),
      Effect.provideService(SqlClient.SqlClient, sql)
    )

  /** Calls the API as a person or a program. */
  const as = (
    who: { readonly bearer: string } | { readonly token: string },
    method: string,
    path: string,
    body?: unknown,
    headers = {}
  ): Effect.Effect<Answer> =>
    call(method, `/api/v1/${path}`, {
      ...(body === undefined ? {} : { body }),
      ...("token" in who
        ? { token: who.token, headers }
        : { headers: { authorization: `Bearer ${who.bearer}`, ...headers } })
    })

  /** Audit entries of an action, oldest first. */
  const audited = (action: string) =>
    sql<{
      tenant_id: number
      actor: string
      entity_type: string
      entity_id: string
      detail: any
      address: string | null
    }>`
      select tenant_id, actor, entity_type, entity_id, detail, address from core.audit where action = ${action} order by id`

  /** Events of a type, oldest first. */
  const events = (type: string) =>
    Effect.map(sql<{ data: any }>`select data from core.event where type = ${type} order by id`, (rows) =>
      rows.map(({ data }) => data)
    )

  return { ...suite, tenant, session, somebody, program, as, audited, events }
})

export type Management = Effect.Success<ReturnType<typeof managementSuite>>
