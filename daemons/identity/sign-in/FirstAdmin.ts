/**
 * The way in when nobody has one yet. As long as no admin of the provider ever had a password or signed in, each start
 * makes sure that there is one and gives a fresh link, which is shown to whoever started us and nowhere else.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect, type Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { write } from "#core/log/Audit.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import type { Database } from "#core/sql/Database.ts"
import { Environment } from "#core/config/Environment.ts"
import type { Events } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import { isJournal } from "#protocols/systemd/JournalPrefix.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { Accounts, linkAddress } from "../users/Exports.ts"
import { SignInLinks } from "../sessions/Exports.ts"

/** The first admin's address when nothing says otherwise: nobody's mailbox, but a name to sign in with. */
export const defaultEmail = "admin@localhost"

type Ground = SqlClient.SqlClient | PgClient.PgClient | Database | Events

/**
 * The first admin's account, made when it is not there; undefined when there is an admin who has been in, or may come
 * in.
 */
const waiting = Effect.fnUntraced(function* (email: string) {
  const sql = yield* SqlClient.SqlClient
  // Processes that start at once go one after the other, and find the account that the first of them made.
  yield* sql`select pg_advisory_xact_lock(hashtext('identity.first_admin'))`
  const admins = sql`tenant_id = ${providerTenant} and role = 'admin'`
  const [known] =
    yield* sql`select 1 from identity.account where ${admins} and (password_hash is not null or last_login_at is not null) limit 1`
  if (known !== undefined) return undefined
  const [found] = yield* sql<{ id: number }>`select id from identity.account where ${admins} and email = ${email}`
  if (found !== undefined) return found.id
  const { id } = yield* Accounts.create({
    tenantId: providerTenant,
    email,
    name: "Administrator",
    role: "admin",
    locale: "en"
  })
  yield* write({
    tenantId: providerTenant,
    actor: "system",
    action: "user.created",
    entity: "user",
    id: String(id),
    detail: { first_admin: true }
  })
  return id
})

/** A link for the first admin, or undefined when none is needed. */
export const firstAdminLink = (
  email: string
): Effect.Effect<Redacted.Redacted | undefined, SqlError.SqlError | Accounts.EmailTaken, Ground> =>
  transaction(
    Effect.gen(function* () {
      const id = yield* waiting(email)
      return id === undefined ? undefined : yield* SignInLinks.make(id, providerTenant, "first_admin")
    })
  )

/**
 * What to tell whoever started us. Under journald what we print is kept and read by others, so there the command that
 * makes a link is named instead.
 */
export const greeting = (options: {
  readonly emails: ReadonlyArray<string>
  readonly base: string
}): Effect.Effect<ReadonlyArray<string>, never, Ground> =>
  Effect.gen(function* () {
    const email = normaliseEmail(options.emails[0] ?? defaultEmail) ?? defaultEmail
    const variables = yield* Environment
    if (isJournal(1, variables) || isJournal(2, variables)) {
      const id = yield* transaction(waiting(email))
      return id === undefined ? [] : [`admin: make a link to sign in once with: signalbox user link ${email}`]
    }
    const link = yield* firstAdminLink(email)
    return link === undefined ? [] : [`admin: sign in once at ${linkAddress(options.base, link)}`]
  }).pipe(
    Effect.catchTag("EmailTaken", () =>
      Effect.succeed(["admin: there is none yet, and the address of SIGNALBOX_ADMIN_EMAIL is another account's"])
    ),
    Effect.catch((error) =>
      Effect.as(Effect.logWarning(`no link for a first admin could be made: ${error.message}`), [])
    )
  )
