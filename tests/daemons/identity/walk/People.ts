/** Tenants and people of a walk, created by SQL and signed in with their passwords. */
import { Effect } from "effect"
import { createHash, randomBytes } from "node:crypto"
import type { Role } from "#core/auth/Roles.ts"
import { cheapHash } from "#support/CheapArgon2.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import type { Who } from "#support/walk/Case.ts"

export const password = "a walk in the park 7"

const passwordHash = cheapHash(password)

/** A person with a session. */
export interface Person {
  readonly id: number
  readonly email: string
  readonly session: string
  readonly refresh: string
  readonly headers: { readonly authorization: string }
}

/** Helpers for one suite. */
export interface People {
  /** Creates a tenant with this name. */
  readonly tenant: (name: string) => Effect.Effect<number, unknown>
  /** Creates an account in this tenant, with the mark in its address and name. */
  readonly account: (
    of: Pick<Who, "tenant" | "mark">,
    role?: Role
  ) => Effect.Effect<{ readonly id: number; readonly email: string }, unknown>
  /** Opens a session of the account with its password. */
  readonly signIn: (account: { readonly id: number; readonly email: string }) => Effect.Effect<Person, unknown>
  /** Creates an account and opens a session. */
  readonly person: (of: Pick<Who, "tenant" | "mark">, role?: Role) => Effect.Effect<Person, unknown>
  /** Creates a one-time link and returns its token. */
  readonly link: (account: { readonly id: number }) => Effect.Effect<string, unknown>
  /** Creates unconfirmed second factors, so that row-level security has rows to hide. */
  readonly beginFactors: (account: { readonly id: number }, tenant: number) => Effect.Effect<void, unknown>
}

export const peopleOf = ({ call, sql }: TestSuite): People => {
  let count = 0
  const account: People["account"] = Effect.fnUntraced(function* ({ mark, tenant }, role = "admin") {
    const email = `${mark}-${count++}@walk.test`
    const [row] = yield* sql<{
      id: number
    }>`insert into identity.account (tenant_id, email, name, role, password_hash, password_changed_at)
      values (${tenant}, ${email}, ${mark}, ${role}, ${passwordHash}, now()) returning id`
    return { id: row!.id, email }
  })
  const signIn: People["signIn"] = Effect.fnUntraced(function* ({ email, id }) {
    const { json, status, text } = yield* call("POST", "/api/v1/auth/login", {
      body: { email, password },
      headers: { "user-agent": email }
    })
    if (status !== 200) return yield* Effect.die(new Error(`login of ${email}: ${text}`))
    const [row] = yield* sql<{
      id: string
    }>`select id::text as id from identity.session where account_id = ${id} order by created_at desc limit 1`
    return {
      id,
      email,
      session: row!.id,
      refresh: json.refresh_token,
      headers: { authorization: `Bearer ${json.access_token}` }
    }
  })
  return {
    tenant: (name) =>
      Effect.map(
        sql<{ id: number }>`insert into identity.tenant (name) values (${name}) returning id`,
        ([row]) => row!.id
      ),
    account,
    signIn,
    person: (of, role) => Effect.flatMap(account(of, role), signIn),
    link: Effect.fnUntraced(function* ({ id }) {
      const token = `sbl_${randomBytes(32).toString("base64url")}`
      const hash = createHash("sha256").update(token).digest()
      yield* sql`insert into identity.sign_in_link (hash, tenant_id, account_id, purpose, methods, expires_at)
        select ${hash}, tenant_id, id, 'invitation', '{link:invitation}', now() + interval '1 hour' from identity.account where id = ${id}`
      return token
    }),
    beginFactors: Effect.fnUntraced(function* ({ id }, tenant) {
      yield* sql`insert into identity.totp (account_id, tenant_id, secret) values (${id}, ${tenant}, 'none')`
      yield* sql`insert into identity.recovery_code (id, account_id, tenant_id, hash) values (gen_random_uuid(), ${id}, ${tenant}, 'none')`
      yield* sql`insert into identity.messenger_factor (account_id, tenant_id, chat_id) values (${id}, ${tenant}, '1')`
      yield* sql`insert into identity.one_time_code (account_id, tenant_id, purpose, id, hash, expires_at)
        values (${id}, ${tenant}, 'bind', 'none', ''::bytea, now())`
    })
  }
}
