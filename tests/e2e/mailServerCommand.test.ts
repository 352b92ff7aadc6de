/**
 * `signalbox mail-server role` beside a running embedded Postgres: the printed credentials give the mail server's
 * programs access.
 */
import { it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { chmodSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect } from "vitest"
import { socketTarget, withClient } from "#core/postgres/Bootstrap.ts"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { ensureBuilt, environmentOf, run } from "#support/Executable.ts"
import { temporaryDirectory } from "#support/Postgres.ts"

beforeAll(ensureBuilt, 60_000)

it.live(
  "makes the role, gives it a new password each time, and leaves it when asked to",
  () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryDirectory()
      chmodSync(dataDir, 0o711)
      const sharedSocketDir = join(dataDir, "mail")
      const server = yield* start({ dataDir, fsync: false, sharedSocketDir })
      const role = (...flags: ReadonlyArray<string>) =>
        Effect.promise(() =>
          run(["mail-server", "role", ...flags], {
            ...environmentOf(dataDir),
            SIGNALBOX_POSTGRES_SHARED_SOCKET: sharedSocketDir
          })
        )
      const comesIn = (password: string) =>
        withClient(
          { ...socketTarget(sharedSocketDir, "signalbox_mail", "signalbox"), password: Redacted.make(password) },
          (sql) => sql`select * from mail_server.mailbox`
        ).pipe(Effect.isSuccess)

      const early = yield* role("--keep-password")
      expect([early.code, early.stdout, early.stderr]).toEqual([
        1,
        "",
        expect.stringContaining("the role signalbox_mail does not exist yet")
      ])

      const made = yield* role("--json")
      expect(made.code, made.stderr).toBe(0)
      const { password, ...place } = JSON.parse(made.stdout)
      expect(place).toEqual({ role: "signalbox_mail", host: sharedSocketDir, port: 5432, database: "signalbox" })
      expect(yield* comesIn(password)).toBe(true)

      const kept = yield* role("--keep-password")
      expect(kept).toMatchObject({
        code: 0,
        stdout: `Role signalbox_mail, database signalbox, host ${sharedSocketDir}, port 5432.\n`
      })
      expect(yield* comesIn(password)).toBe(true)

      const again = yield* role()
      expect(yield* comesIn(again.stdout.split("\n")[0]!)).toBe(true)
      expect(yield* comesIn(password)).toBe(false)

      const written = yield* withClient(
        socketTarget(server.socketDir, server.user, server.database),
        (sql) =>
          sql<{
            action: string
            all: string
          }>`select action, a::text as all from core.audit a where entity_id = 'signalbox_mail' order by id`
      )
      expect(written.map(({ action }) => action)).toEqual(
        ["password_set", "granted", "password_set"].map((what) => `mail_server_role.${what}`)
      )
      expect(JSON.stringify(written)).not.toContain(password)
    }),
  120_000
)
