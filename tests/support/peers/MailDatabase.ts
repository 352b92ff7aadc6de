// A Postgres for the mail servers of a test. Its second socket is reachable for other users of the machine, and for a
// Dovecot in a folder with a newer Debian. Its role `signalbox_mail` exists before the migrations, which grant it read
// access.

import { chmodSync } from "node:fs"
import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import { socketTarget } from "#core/postgres/Bootstrap.ts"
import { toUrl } from "#core/postgres/ConnectionTarget.ts"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { ensureRole } from "#daemons/mail-admin/mail-server/MailServerRole.ts"
import { type FreshDatabase, temporaryDirectory } from "../Postgres.ts"
import { availability } from "./install.ts"
import { scratchFolder } from "./Loopback.ts"
import { peers } from "./Peers.ts"

export interface MailDatabase {
  /** The database, for `startSuite`. */
  readonly database: FreshDatabase
  /** Directory of the second socket. */
  readonly socketDir: string
  /** Password of the role `signalbox_mail`. */
  readonly password: string
}

/** Starts a Postgres; it ends with the scope. */
export const make = Effect.gen(function* () {
  const root = availability("dovecot24").available ? peers.dovecot24.newer?.folder : undefined
  const folder = yield* root === undefined ? scratchFolder("db") : scratchFolder("db", `${root}/tmp`)
  chmodSync(folder, 0o711)
  const socketDir = `${folder}/s`
  const server = yield* start({ dataDir: yield* temporaryDirectory(), fsync: false, sharedSocketDir: socketDir })
  const [target, superuser] = [server.user, server.superuser].map((user) =>
    socketTarget(server.socketDir, user, server.database)
  ) as [FreshDatabase["target"], FreshDatabase["superuser"]]
  const password = randomBytes(12).toString("base64url")
  yield* ensureRole(superuser, password)
  return {
    database: { target, url: toUrl(target), superuser },
    socketDir,
    password
  } satisfies MailDatabase as MailDatabase
})
