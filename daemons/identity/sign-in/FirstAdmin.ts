/**
 * First sign-in link of a new installation. Applies while no administrator of the provider has a password or has signed
 * in. Each start then ensures that the account exists and creates a new link, shown only to the operator who started
 * the process.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { write } from "#core/log/Audit.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import type { Database } from "#core/sql/Database.ts"
import { Environment } from "#core/config/Environment.ts"
import type { Line } from "#core/daemon/Greeting.ts"
import type { Events } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import { isJournal } from "#protocols/systemd/JournalPrefix.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { consolePath } from "../federation/Exports.ts"
import { Accounts, linkAddress } from "../users/Exports.ts"
import { SignInLinks } from "../sessions/Exports.ts"

/** Default address of the first administrator: a sign-in name, not a mailbox. */
export const defaultEmail = "admin@localhost"

type Ground = SqlClient.SqlClient | PgClient.PgClient | Database | Events

/** Account of the first administrator, created when missing; undefined when an administrator can already sign in. */
const ensureFirstAdmin = Effect.fnUntraced(function* (email: string) {
  const sql = yield* SqlClient.SqlClient
  // Serialises processes that start together, so that the later ones find the account of the first.
  yield* sql`select pg_advisory_xact_lock(hashtext('identity.first_admin'))`
  const admins = sql`tenant_id = ${providerTenant} and role = 'admin'`
  const [ableToSignIn] = yield* sql`select 1 from identity.account
    where ${admins} and (password_hash is not null or last_login_at is not null) limit 1`
  if (ableToSignIn !== undefined) return undefined
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

/** A link for the first administrator; undefined when none is needed. */
export const firstAdminLink = (
  email: string
): Effect.Effect<Redacted.Redacted | undefined, SqlError.SqlError | Accounts.EmailTaken, Ground> =>
  transaction(
    Effect.gen(function* () {
      const id = yield* ensureFirstAdmin(email)
      return id === undefined ? undefined : yield* SignInLinks.make(id, providerTenant, "first_admin")
    })
  )

/** One line of this kind. */
const line = (text: string): ReadonlyArray<Line> => [{ kind: "sign-in link", text }]

/**
 * Lines that `signalbox up` prints. Under journald, output is stored and readable by others, so the lines name the
 * command that creates a link. `console`: the console is below `base`, so the link signs in there and asks for a
 * password later; otherwise it leads to the welcome page.
 */
export const greeting = (options: {
  readonly emails: ReadonlyArray<string>
  readonly base: string
  readonly console: boolean
}): Effect.Effect<ReadonlyArray<Line>, never, Ground> =>
  Effect.gen(function* () {
    const email = normaliseEmail(options.emails[0] ?? defaultEmail) ?? defaultEmail
    const variables = yield* Environment
    if (isJournal(1, variables) || isJournal(2, variables)) {
      const id = yield* transaction(ensureFirstAdmin(email))
      return id === undefined ? [] : line(`signalbox user link ${email} (prints one; not kept in the journal)`)
    }
    const link = yield* firstAdminLink(email)
    if (link === undefined) return []
    const address = options.console
      ? `${options.base}${consolePath}#token=${Redacted.value(link)}`
      : linkAddress(options.base, link)
    return line(`${address} (once, as ${email})`)
  }).pipe(
    Effect.catchTag("EmailTaken", () =>
      Effect.succeed(line("none: there is no admin yet, and another account has the address in SIGNALBOX_ADMIN_EMAIL"))
    ),
    Effect.catch((error) =>
      Effect.as(Effect.logWarning(`no sign-in link for the first admin could be created: ${error.message}`), [])
    )
  )
