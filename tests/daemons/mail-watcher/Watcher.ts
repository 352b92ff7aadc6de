/** A mail-watcher for tests, with accounts on a real Dovecot and password sign-in. */
import { Effect, Redacted } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { accountTopic } from "#daemons/mail-watcher/accounts/Account.ts"
import { sealedPasswords } from "#daemons/mail-watcher/accounts/MailLogins.ts"
import { mailWatcher } from "#daemons/mail-watcher/Daemon.ts"
import { contextOf, layer as secretsLayer, Secrets } from "#core/config/Secrets.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { type StartOptions, startSuite, type TestSuite } from "#support/TestSuite.ts"

/** Headers of a user `user:<tenant>:<permission>`. The user's id is ten times the tenant's (FakeUsers). */
export const as = (tenant: number, held = "*") => ({ headers: { authorization: `Bearer user:${tenant}:${held}` } })

export const password = "four words in a row"

export interface Placed {
  readonly dovecot: Dovecot.Dovecot
  readonly suite: TestSuite
}

/** Starts a Dovecot with these addresses, and a mail-watcher that trusts its certificate. No account exists yet. */
export const startWatcher = Effect.fnUntraced(function* (
  addresses: ReadonlyArray<string>,
  options: {
    readonly dovecot?: Partial<Dovecot.DovecotOptions>
    readonly suite?: Partial<StartOptions>
    readonly trusted?: string
  } = {}
) {
  const dovecot = yield* Dovecot.make({
    users: addresses.map((address) => ({ address, password })),
    tls: true,
    ...options.dovecot
  })
  yield* dovecot.start
  const ca = join(yield* temporaryDirectory(), "ca.pem")
  writeFileSync(ca, dovecot.certificate! + (options.trusted ?? ""))
  const suite = yield* startSuite({
    daemons: [mailWatcher],
    verifier: fakeUsers,
    ...options.suite,
    env: { SIGNALBOX_MAIL_CA: ca, SIGNALBOX_MAIL_ALLOW_CIDRS: "127.0.0.0/8", ...options.suite?.env }
  })
  return { dovecot, suite } satisfies Placed as Placed
})

export interface NewAccount {
  readonly address: string
  readonly tenant: number
  readonly smtpPort?: number
  readonly watch?: "always" | "lazy"
  readonly isDefault?: boolean
}

/** Adds an account at that Dovecot, like its owner would. Returns its id. */
export const addAccount = (
  { dovecot, suite }: Placed,
  { address, isDefault = false, smtpPort, tenant, watch = "lazy" }: NewAccount
) =>
  Effect.gen(function* () {
    const { seal } = yield* Secrets
    const { sql } = suite
    const [next] = yield* sql<{
      id: number
    }>`select nextval(pg_get_serial_sequence('mail_watcher.account', 'id'))::int as id`
    const id = next!.id
    const envelope = yield* seal(Redacted.make(password), contextOf(sealedPasswords, String(id)))
    yield* sql`insert into mail_watcher.account
        (id, tenant_id, user_id, address, kind, watch, is_default, imap_host, imap_port, smtp_host, smtp_port, password)
      overriding system value values
        (${id}, ${tenant}, ${tenant * 10}, ${address}, 'foreign', ${watch}, ${isDefault}, '127.0.0.1', ${dovecot.imapsPort}, '127.0.0.1', ${smtpPort ?? null}, ${envelope})`
    yield* sql`select pg_notify('signalbox', ${accountTopic})`
    return id
  }).pipe(Effect.provide(secretsLayer(join(suite.env["SIGNALBOX_DATA_DIR"]!, "keys"))))
