/** `signalbox backup now`: a backup without a daemon, of a database that is of another version. */
import { it } from "@effect/vitest"
import { Console, Effect, Option } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { Environment } from "#core/config/Environment.ts"
import { withClient } from "#core/postgres/Bootstrap.ts"
import { now } from "#daemons/watchdog/backups/NowOperator.ts"
import { recording } from "#support/CapturedOutput.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { makeRepository } from "#support/ResticRepository.ts"
import { folders, password, postgres15 } from "./BackupSuite.ts"

describePeers(["restic", "postgres15"], "signalbox backup now", () => {
  it.live(
    "saves everything, changes nothing in the database, and leaves no dump behind",
    () =>
      Effect.gen(function* () {
        const place = yield* folders
        const database = yield* postgres15
        const dataDir = join(place.root, "data")
        const env = { ...place.env, SIGNALBOX_DATA_DIR: dataDir, DATABASE_URL: database.url }
        const out: Array<string> = []
        const ran = <A, E>(command: Effect.Effect<A, E>, variables: Readonly<Record<string, string>> = env) =>
          Effect.suspend(() => {
            out.length = 0
            return command.pipe(
              Effect.provideService(Environment, variables),
              Effect.provideService(Console.Console, recording(out))
            )
          })
        const all = { type: Option.none(), json: false }
        const { SIGNALBOX_BACKUP_REPOSITORY: _, ...unset } = env
        expect(yield* Effect.flip(ran(now(all), unset))).toMatchObject({ code: 78 })
        expect(yield* Effect.flip(ran(now(all)))).toMatchObject({ message: expect.stringContaining("no repository") })

        makeRepository(place.repository, password)
        yield* withClient(database.target, (sql) => sql`create table kept as select 1 as n`)
        yield* ran(now(all))
        expect(out.join("\n")).toMatch(/^backup [0-9a-f]{8}, /m)
        expect(out.join("\n")).toContain("without key of stored secrets")
        const schemas = yield* withClient(
          database.superuser,
          (sql) => sql`select nspname from pg_namespace where nspname in ('core', 'watchdog')`
        )
        expect(schemas).toEqual([])
        expect(readdirSync(join(place.repository, "snapshots"))).toHaveLength(1)
        expect(existsSync(join(dataDir, "backup/stage-now"))).toBe(false)
      }).pipe(Effect.scoped),
    120_000
  )
})
