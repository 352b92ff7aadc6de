/** Implementation of `signalbox mail-server …`. */
import { providerTenant } from "#core/auth/Caller.ts"
import { randomBytes } from "node:crypto"
import { resolve } from "node:path"
import { Effect, Result } from "effect"
import * as Audit from "#core/log/Audit.ts"
import { fail } from "#core/cli/Ending.ts"
import { print } from "#core/cli/Output.ts"
import { withStorage } from "#core/cli/Storage.ts"
import { Database } from "#core/sql/Database.ts"
import { settings } from "#core/config/Environment.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { platformSettings } from "#core/config/PlatformSettings.ts"
import { socketTarget } from "#core/postgres/Bootstrap.ts"
import { mailServerRole, superuserRole } from "#core/postgres/ServerAccess.ts"
import { transaction } from "#core/sql/Sql.ts"
import { mailAdmin } from "../Daemon.ts"
import { ensureRole, grantViews } from "./MailServerRole.ts"
import * as PurgeHomes from "./PurgeHomes.ts"

/**
 * Unit: random bytes. Encoded with letters, digits, `-` and `_`, because the password is written to files of four
 * different syntaxes.
 */
const passwordLength = 32

/**
 * Deletes folders of mailboxes that were deleted at least `days` days ago. A folder that cannot be deleted stays for
 * the next call, and the exit status is 1.
 */
export const purge = Effect.fnUntraced(function* (flags: {
  readonly dir: string
  readonly days: number
  readonly dryRun: boolean
  readonly json: boolean
}) {
  if (flags.days < 0) return yield* fail("--days must not be negative")
  const dir = resolve(flags.dir)
  const done = yield* withStorage(
    Effect.gen(function* () {
      yield* Migrations.run(mailAdmin.migrations)
      return yield* Effect.forEach(yield* PurgeHomes.due(flags.days), (home) => purged(dir, home, flags.dryRun))
    })
  )
  yield* print(flags.json, { dry_run: flags.dryRun, homes: done }, () => [
    ...done.map(({ address, home, outcome }) => `${address}  ${home}  ${outcome}`),
    `${done.length} ${done.length === 1 ? "mailbox" : "mailboxes"}`
  ])
  const failed = done.filter(({ outcome }) => outcome.startsWith("failed"))
  if (failed.length > 0) return yield* fail(`${failed.length} of ${done.length} folders could not be deleted`)
})

const purged = Effect.fnUntraced(function* (dir: string, home: PurgeHomes.Home, dryRun: boolean) {
  const path = PurgeHomes.pathOf(dir, home.home)
  const told = { address: home.address, home: home.home }
  if (path === undefined) return { ...told, outcome: "failed: unexpected name of a folder" }
  if (dryRun) return { ...told, outcome: "due" }
  const removed = yield* Effect.result(Effect.try({ try: () => PurgeHomes.remove(path), catch: String }))
  if (Result.isFailure(removed)) return { ...told, outcome: `failed: ${removed.failure}` }
  yield* transaction(
    Effect.andThen(
      PurgeHomes.forget(home),
      Audit.write({
        tenantId: home.tenant_id,
        actor: Audit.operator,
        action: "mail_account.purged",
        entity: "mail_account",
        id: String(home.mailbox_id),
        detail: { address: home.address, home: home.home }
      })
    )
  )
  return { ...told, outcome: removed.success ? "deleted" : "was not there" }
})

/** Creates the role or sets its password, and prints the connection parameters. */
export const role = Effect.fnUntraced(function* (flags: { readonly keepPassword: boolean; readonly json: boolean }) {
  const password = flags.keepPassword ? undefined : randomBytes(passwordLength).toString("base64url")
  const { embedded, target } = yield* withStorage(
    Effect.gen(function* () {
      const database = yield* Database
      const { embedded, target } = database
      yield* Migrations.run(mailAdmin.migrations)
      const admin = embedded ? socketTarget(target.host, superuserRole, target.database) : target
      yield* Effect.catchTag(ensureRole(admin, password), "RoleRefused", (error) => fail(error.message))
      yield* transaction(
        Effect.andThen(
          grantViews,
          Audit.write({
            tenantId: providerTenant,
            actor: Audit.operator,
            action: password === undefined ? "mail_server_role.granted" : "mail_server_role.password_set",
            entity: "database_role",
            id: mailServerRole
          })
        )
      )
      return database
    })
  )
  const { postgresSharedSocket } = yield* settings(platformSettings)
  const host = embedded ? postgresSharedSocket : target.host
  const made = {
    role: mailServerRole,
    host: host ?? null,
    port: target.port,
    database: target.database,
    ...(password === undefined ? {} : { password })
  }
  yield* print(flags.json, made, () => [
    ...(password === undefined ? [] : [password, "The password. It is shown only now; another call sets a new one."]),
    host === undefined
      ? `Role ${made.role}, database ${made.database}. Other programs cannot reach the embedded Postgres yet: ` +
        "set SIGNALBOX_POSTGRES_SHARED_SOCKET."
      : `Role ${made.role}, database ${made.database}, host ${host}, port ${made.port}.`
  ])
})
