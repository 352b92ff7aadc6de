/**
 * Parts of the mail-watcher benchmark: a Dovecot with many mailboxes that introspects tokens at identity, and the
 * daemons as child processes, measured through /proc. The mailboxes are own accounts: sign-in by token, without the
 * limits for foreign accounts.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, type Scope } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { type Command, type Environment, ensureBuilt, environmentOf, start } from "#support/Executable.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { freePort } from "#support/peers/Loopback.ts"
import { freshDatabaseOn, startServer, temporaryDirectory } from "#support/Postgres.ts"

export const password = "pw"
export const addressOf = (index: number): string => `u${index}@example.test`

/**
 * Dovecot settings for twice as many sessions as mailboxes, in the mode that Dovecot's documentation recommends for
 * many.
 */
const roomFor = (mailboxes: number): ReadonlyArray<string> => {
  const room = 4 * mailboxes + 1_000
  return [
    // Disk speed is not part of the measurement.
    "mail_fsync = never",
    `default_client_limit = ${room}`,
    `default_process_limit = ${room}`,
    `service imap-login {\n  service_count = 0\n  process_min_avail = 2\n  process_limit = 4\n  client_limit = ${room}\n  vsz_limit = 2G\n}`,
    `service imap {\n  process_limit = ${room}\n}`
  ]
}

export interface Rig {
  readonly dovecot: Dovecot.Dovecot
  readonly sql: PgClient.PgClient
  readonly url: string
  /** Service token of the platform scope. */
  readonly token: string
  /** Starts the shipped mail-watcher. */
  readonly watcher: Effect.Effect<Watcher, never, Scope.Scope>
  /** Announces mailboxes `first` (inclusive) to `end` (exclusive) by events, like mail-admin. */
  readonly add: (first: number, end: number) => Effect.Effect<void>
}

export interface Watcher {
  readonly base: string
  /** Resident memory. Unit: KB. */
  readonly resident: () => number
  /** Processor time since its start. Unit: milliseconds. */
  readonly processor: () => number
}

/** A Dovecot with this many mailboxes, one Unix user each, and identity. No mailbox is announced yet. */
export const rigOf = Effect.fnUntraced(function* (mailboxes: number) {
  ensureBuilt()
  const { socketDir } = yield* startServer
  const { target, url } = yield* freshDatabaseOn(socketDir)
  const dataDir = yield* temporaryDirectory()
  const ca = join(dataDir, "ca.pem")
  const identityPort = yield* freePort
  const watcherPort = yield* freePort
  const common: Environment = {
    ...environmentOf(dataDir),
    DATABASE_URL: url,
    SIGNALBOX_IDENTITY_PORT: String(identityPort),
    SIGNALBOX_MAIL_WATCHER_PORT: String(watcherPort),
    SIGNALBOX_MAIL_CONNECT_HOST: "localhost",
    SIGNALBOX_MAIL_CA: ca
  }
  yield* running(["run", "identity"], common)
  const made = (scope: string) =>
    Effect.promise(async () => {
      const { stdout } = await start(["token", "create", "--name", scope, "--scope", scope, "--json"], common).ended
      return (JSON.parse(stdout) as { readonly token: string }).token
    })
  const secret = yield* made("introspection")
  const token = yield* made("platform")
  const users = Array.from({ length: mailboxes }, (_, index) => ({ address: addressOf(index), password }))
  const tokens = { server: `127.0.0.1:${identityPort}`, clientId: "dovecot", clientSecret: secret }
  const dovecot = yield* Dovecot.make({ users, tls: true, tokens, settings: roomFor(mailboxes) })
  yield* dovecot.start
  writeFileSync(ca, dovecot.certificate!)
  const sql = Context.get(
    yield* Layer.build(PgClient.layer({ ...toSqlPg(target), applicationName: "bench", maxConnections: 2 })),
    PgClient.PgClient
  )
  const add = (first: number, end: number) =>
    Effect.orDie(sql`with told as (
        insert into core.event (type, source, data)
        select 'mail.account.created', 'bench', jsonb_build_object('account_id', n + 1, 'address', 'u' || n || '@example.test', 'user_id', null,
          'tenant_id', 7, 'state', 'active', 'is_default', false, 'version', n + 1) from generate_series(${first}::int, ${end - 1}::int) n returning 1)
      select pg_notify('signalbox', 'event') from told limit 1`)
  const watcher = Effect.map(
    running(["run", "mail-watcher"], { ...common, SIGNALBOX_MAIL_IMAP_PORT: String(dovecot.imapsPort) }),
    (command): Watcher => ({
      base: `http://127.0.0.1:${watcherPort}`,
      resident: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${command.pid}/status`, "utf8"))![1]),
      processor: () => {
        const stat = readFileSync(`/proc/${command.pid}/stat`, "utf8")
        const [user, system] = stat
          .slice(stat.lastIndexOf(")") + 2)
          .split(" ")
          .slice(11, 13)
        // Clock ticks; Linux reports 100 per second.
        return (Number(user) + Number(system)) * 10
      }
    })
  )
  return { dovecot, sql, url, token, watcher, add } satisfies Rig as Rig
})

/** Starts a daemon like an operator and waits until it is ready. */
const running = (args: ReadonlyArray<string>, env: Environment) =>
  Effect.tap(
    Effect.acquireRelease(
      Effect.sync(() => start(args, env)),
      (command: Command) =>
        Effect.promise(async () => {
          command.signal("SIGTERM")
          await command.ended
        })
    ),
    (command) => Effect.promise(() => command.line("ready"))
  )
