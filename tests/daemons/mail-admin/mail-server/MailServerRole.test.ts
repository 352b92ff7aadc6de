/** Rights of the mail server's role: all tenants' rows in its views, and nothing else in the database. */
import { layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Result } from "effect"
import { expect } from "vitest"
import { socketTarget, withClient } from "#core/postgres/Bootstrap.ts"
import { mailServerConnections, mailServerRole } from "#core/postgres/ServerAccess.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { mailAdmin } from "#daemons/mail-admin/Daemon.ts"
import { ensureRole } from "#daemons/mail-admin/mail-server/MailServerRole.ts"
import * as MailDatabase from "#support/peers/MailDatabase.ts"
import { startSuite } from "#support/TestSuite.ts"
import { callsOf, mailServer } from "../Admin.ts"

type Rows = ReadonlyArray<Record<string, unknown>>

class World extends Context.Service<
  World,
  {
    readonly mail: MailDatabase.MailDatabase
    /**
     * Runs statements like the mail server: over the second socket with the password. `;;` separates statements.
     * Returns the rows of the last one.
     */
    readonly ask: (
      text: string,
      options?: { readonly password?: string; readonly database?: string }
    ) => Effect.Effect<Result.Result<Rows, string>>
    readonly superuser: (text: string) => Effect.Effect<Rows>
    /** API calls as this tenant. */
    readonly calls: (
      tenant: number
    ) => Effect.Effect<ReturnType<typeof callsOf> & { readonly domainId: number; readonly domain: string }>
  }
>()("test/World") {
  static readonly layer = Layer.effect(
    World,
    Effect.gen(function* () {
      const mail = yield* MailDatabase.make
      const suite = yield* startSuite({ daemons: [identity, mailAdmin], env: mailServer, database: mail.database })
      const service = callsOf(suite, { headers: { "x-service-token": yield* suite.token } })
      let made = 0
      return {
        mail,
        ask: (text, { database = "signalbox", password = mail.password } = {}) =>
          withClient(
            { ...socketTarget(mail.socketDir, mailServerRole, database), password: Redacted.make(password) },
            (sql) =>
              Effect.map(
                Effect.forEach(text.split(";;"), (statement) => sql.unsafe<Record<string, unknown>>(statement)),
                (all) => all.at(-1)! as Rows
              )
          ).pipe(
            Effect.mapError((error) =>
              String((error as any).reason?.cause?.message ?? (error as any).cause?.message ?? error)
            ),
            Effect.result
          ),
        superuser: (text) =>
          Effect.orDie(withClient(mail.database.superuser, (sql) => sql.unsafe<Record<string, unknown>>(text))),
        calls: (tenant) =>
          Effect.map(service.domain(`role${++made}.test`, { tenant_id: tenant }), ({ domain, id }) => ({
            ...service,
            domain,
            domainId: id
          })).pipe(Effect.orDie)
      }
    })
  )
}

const said = (result: Result.Result<Rows, string>) => (Result.isSuccess(result) ? result.success : result.failure)

layer(World.layer, { excludeTestServices: true, timeout: "60 seconds" })("the mail server's role", (it) => {
  it.effect("reads the mailboxes, aliases and domains of every tenant", () =>
    Effect.gen(function* () {
      const { ask, calls } = yield* World
      const [first, second] = [yield* calls(1), yield* calls(2)]
      const ann = yield* first.account(first.domainId, "ann", { quota_mb: 5 })
      const bob = yield* second.account(second.domainId, "bob")
      yield* second.alias(second.domainId, "info", ann.address)
      const within = `domain in ('${first.domain}', '${second.domain}')`
      expect(said(yield* ask(`select domain from mail_server.domain where ${within} order by 1`))).toEqual([
        { domain: first.domain },
        { domain: second.domain }
      ])
      expect(
        said(yield* ask(`select address, active, quota_mb from mail_server.mailbox where ${within} order by 1`))
      ).toEqual([
        { address: ann.address, active: true, quota_mb: 5 },
        { address: bob.address, active: true, quota_mb: null }
      ])
      expect(said(yield* ask(`select source, domain, destination from mail_server.alias where ${within}`))).toEqual([
        { source: "info", domain: second.domain, destination: ann.address }
      ])
      expect(
        said(
          yield* ask(
            `select password ~ '^{ARGON2ID}\\$argon2id\\$' as right from mail_server.login where address = '${bob.address}'`
          )
        )
      ).toEqual([{ right: true }])
      expect(
        said(
          yield* ask(
            `select service, value from mail_server.dovecot23_mailbox where address = '${ann.address}' and service in ('imap', 'lmtp') order by 1`
          )
        )
      ).toEqual(
        ["imap", "lmtp"].map((service) => ({
          service,
          value: `{"quota_rule": "*:storage=5M", "mailbox_home": "mailbox/${ann.id}"}`
        }))
      )
    })
  )

  it.effect("resolves permitted senders through aliases of several tenants and ends on a loop", () =>
    Effect.gen(function* () {
      const { ask, calls, superuser } = yield* World
      const [first, second] = [yield* calls(1), yield* calls(2)]
      const [ann, bob] = [yield* first.account(first.domainId, "ann"), yield* second.account(second.domainId, "bob")]
      yield* first.alias(first.domainId, "all", `team@${second.domain}`)
      yield* second.alias(second.domainId, "team", bob.address)
      yield* second.alias(second.domainId, "team", ann.address)
      yield* superuser(
        `insert into mail_admin.alias (tenant_id, domain_id, source, destination) values (2, ${second.domainId}, 'team', 'all@${first.domain}')`
      )
      const senders = (source: string, domain: string) =>
        Effect.map(
          ask(`select login from mail_server.sender where source = '${source}' and domain = '${domain}' order by 1`),
          (rows) => (said(rows) as Rows).map(({ login }) => login)
        )
      expect(yield* senders("all", first.domain)).toEqual([ann.address, bob.address].toSorted())
      expect(yield* senders("ann", first.domain)).toEqual([ann.address])
      yield* second.post(`accounts/${bob.id}/suspend`)
      expect(yield* senders("all", first.domain)).toEqual([ann.address])
      expect(yield* senders("bob", second.domain)).toEqual([])
    })
  )

  it.effect("sees a suspended mailbox for delivery, but not its password", () =>
    Effect.gen(function* () {
      const { ask, calls } = yield* World
      const { account, domainId, post } = yield* calls(3)
      const { address, id } = yield* account(domainId, "ann")
      yield* post(`accounts/${id}/suspend`)
      expect(said(yield* ask(`select active from mail_server.mailbox where address = '${address}'`))).toEqual([
        { active: false }
      ])
      for (const view of ["login", "dovecot23_login"])
        expect(said(yield* ask(`select 1 from mail_server.${view} where address = '${address}'`))).toEqual([])
      const services = said(
        yield* ask(`select service from mail_server.dovecot23_mailbox where address = '${address}' order by 1`)
      ) as Rows
      expect(services.map(({ service }) => service)).toEqual(["doveadm", "lda", "lmtp", "quota-status"])
    })
  )

  it.effect(
    "cannot read tables, call functions, change or create anything",
    () =>
      Effect.gen(function* () {
        const { ask, superuser } = yield* World
        const relations =
          yield* superuser(`select format('%I.%I', n.nspname, c.relname) as name, n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'v', 'm', 'p', 'f', 'S') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1`)
        const schemas = new Set(relations.map(({ schema }) => schema))
        for (const schema of ["core", "identity", "mail_admin", "pgboss"]) expect(schemas).toContain(schema)
        for (const { name, schema } of relations) {
          const answer = yield* ask(`select * from ${name} limit 1`)
          if (schema === "mail_server") expect(Result.isSuccess(answer), String(name)).toBe(true)
          else expect(said(answer), String(name)).toMatch(/permission denied for (schema|table|sequence|view)/)
        }
        const statements = {
          "insert into mail_server.domain values ('x.test')": /permission denied|read-only/,
          "set default_transaction_read_only = off;; insert into mail_server.domain values ('x.test')":
            /permission denied/,
          "set default_transaction_read_only = off;; update mail_server.mailbox set active = true":
            /permission denied|cannot update/,
          "set default_transaction_read_only = off;; delete from mail_server.domain": /permission denied/,
          "set default_transaction_read_only = off;; create table public.x (y int)": /permission denied/,
          "set default_transaction_read_only = off;; create schema x": /permission denied/,
          "select core.tenant()": /permission denied/,
          "set role signalbox": /permission denied/,
          "set role signalbox_tenant": /permission denied/,
          "select pg_read_file('postgresql.conf')": /permission denied/,
          "select passwd from pg_shadow": /permission denied/
        }
        for (const [statement, answer] of Object.entries(statements))
          expect(said(yield* ask(statement)), statement).toMatch(answer)
        expect(said(yield* ask("show statement_timeout"))).toEqual([{ statement_timeout: "5s" }])
      }),
    120_000
  )

  it.effect("signs in with its password to this database only", () =>
    Effect.gen(function* () {
      const { ask, mail } = yield* World
      expect(said(yield* ask("select 1", { password: "wrong" }))).toContain("password authentication failed")
      expect(said(yield* ask("select 1", { database: "postgres" }))).toContain("no pg_hba.conf entry")
      yield* ensureRole(mail.database.superuser, undefined)
      expect(Result.isSuccess(yield* ask("select 1"))).toBe(true)
      yield* ensureRole(mail.database.superuser, "another")
      expect(said(yield* ask("select 1"))).toContain("password authentication failed")
      yield* ensureRole(mail.database.superuser, mail.password)
      expect(Result.isSuccess(yield* ask("select 1"))).toBe(true)
    })
  )

  it.effect("is not created without the right to, and refused when it has more rights", () =>
    Effect.gen(function* () {
      const { mail, superuser } = yield* World
      const refusal = (admin: typeof mail.database.target) =>
        Effect.map(Effect.flip(ensureRole(admin, "another")), (error) => error.message)
      expect(yield* refusal(mail.database.target)).toContain(
        `alter role ${mailServerRole} login password '...' connection limit ${mailServerConnections}`
      )
      yield* superuser("grant signalbox to signalbox_mail")
      expect(yield* refusal(mail.database.superuser)).toContain("may do more than read")
      yield* superuser("revoke signalbox from signalbox_mail")
      yield* superuser("alter role signalbox_mail bypassrls")
      expect(yield* refusal(mail.database.superuser)).toContain("may do more than read")
      yield* superuser("alter role signalbox_mail nobypassrls")
      yield* ensureRole(mail.database.superuser, mail.password)
    })
  )
})
