// A Postgres for the mail servers of a test. Its second socket is reachable for other users of the machine, and for a
// Dovecot in a folder with a newer Debian. Its role `signalbox_mail` exists before the migrations, which grant it read
// access.

import { chmodSync, mkdirSync } from "node:fs"
import { randomBytes } from "node:crypto"
import { Effect, Exit, Scope } from "effect"
import { socketTarget } from "#core/postgres/Bootstrap.ts"
import { toUrl } from "#core/postgres/ConnectionTarget.ts"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { ensureRole } from "#daemons/mail-admin/mail-server/MailServerRole.ts"
import { type FreshDatabase, temporaryDirectory } from "../Postgres.ts"
import { availability } from "./install.ts"
import { scratchFolder } from "./Loopback.ts"
import { peers } from "./Peers.ts"
import { ownFolder } from "./Postfix.ts"

export interface MailDatabase {
  /** The database, for `startSuite`. */
  readonly database: FreshDatabase
  /** Directory of the second socket. */
  readonly socketDir: string
  /** Password of the role `signalbox_mail`. */
  readonly password: string
  /** Directory where the mail-admin of this database answers Postfix: `SIGNALBOX_POSTFIX_DIR`. */
  readonly postfixDir: string
  /** Stops the server. */
  readonly away: Effect.Effect<void>
  /** Starts the server again on the same sockets. */
  readonly back: Effect.Effect<void>
}

/** Starts a Postgres; it ends with the scope. */
export const make = Effect.gen(function* () {
  const root = availability("dovecot24").available ? peers.dovecot24.newer?.folder : undefined
  const folder = yield* root === undefined ? scratchFolder("db") : scratchFolder("db", `${root}/tmp`)
  chmodSync(folder, 0o711)
  const socketDir = `${folder}/s`
  const postfixDir = `${folder}/p`
  mkdirSync(postfixDir)
  if (availability("postfix").available) ownFolder(postfixDir)
  const options = { dataDir: yield* temporaryDirectory(), fsync: false, sharedSocketDir: socketDir }
  const whole = yield* Effect.scope
  let running = yield* Scope.fork(whole)
  const server = yield* Scope.provide(start(options), running)
  const [target, superuser] = [server.user, server.superuser].map((user) =>
    socketTarget(server.socketDir, user, server.database)
  ) as [FreshDatabase["target"], FreshDatabase["superuser"]]
  const password = randomBytes(12).toString("base64url")
  yield* ensureRole(superuser, password)
  return {
    database: { target, url: toUrl(target), superuser },
    socketDir,
    password,
    postfixDir,
    away: Effect.suspend(() => Scope.close(running, Exit.void)),
    back: Effect.gen(function* () {
      running = yield* Scope.fork(whole)
      yield* Effect.orDie(Scope.provide(start(options), running))
    })
  } satisfies MailDatabase as MailDatabase
})
