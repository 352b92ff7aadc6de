/**
 * The way of the embedded Postgres to another major version, by our own commands (docs/upgrade.md): the data directory
 * of a suite with Postgres 15 becomes one with the packaged version, and the suite works with it.
 */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { copyFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { candidates, majorOf, rank } from "#core/postgres/ServerBinaries.ts"
import { ensureBuilt, environmentOf, run, start } from "#support/Executable.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { preparedDirectory } from "#support/PreparedCluster.ts"
import { makeKeyCheap } from "#support/ResticRepository.ts"
import { folders, password } from "./BackupSuite.ts"

const versionIn = (dataDir: string) => Number(readFileSync(join(dataDir, "postgres/data/PG_VERSION"), "utf8"))

describePeers(["restic", "postgres15"], "an embedded Postgres of an older major version", () => {
  it.live(
    "moves to the packaged version by a backup and its restore",
    () =>
      Effect.gen(function* () {
        const packaged = majorOf(rank(candidates(), undefined)[0]!)
        expect(packaged).toBeGreaterThan(15)
        ensureBuilt()
        const place = yield* folders
        // A cluster of the old version. Later starts take the programs of its version.
        const former = yield* preparedDirectory("former", 15)
        const envOf = (dataDir: string) => ({ ...environmentOf(dataDir), ...place.env })
        const command = Effect.fnUntraced(function* (dataDir: string, ...args: ReadonlyArray<string>) {
          const ended = yield* Effect.promise(() => run(args, envOf(dataDir)))
          return ended.code === 0 ? ended.stdout : yield* Effect.die(new Error(`${args.join(" ")}: ${ended.stderr}`))
        })
        yield* command(former, "migrate")
        expect(versionIn(former)).toBe(15)
        yield* command(former, "user", "create", "--email", "anna@example.org", "--role", "admin")
        yield* command(former, "webhook-secret", "rotate", "--tenant", "1")

        yield* command(former, "backup", "init")
        makeKeyCheap(place.repository, password)
        yield* command(former, "backup", "now")
        const moved = join(place.root, "moved")
        yield* command(former, "backup", "restore", "--target", moved, "--yes")
        expect(versionIn(moved)).toBe(packaged)

        copyFileSync(join(former, "keys"), join(moved, "keys"))
        expect(JSON.parse(yield* command(moved, "check", "--json"))).toMatchObject({ ok: true })
        expect(yield* command(moved, "user", "list")).toContain("anna@example.org")
        // A daemon works with the moved tables, their owners and policies, and opens the stored secret.
        const daemon = yield* Effect.acquireRelease(
          Effect.sync(() => start(["run", "comm-dispatcher", "--json"], envOf(moved))),
          (running) => {
            running.signal("SIGTERM")
            return Effect.promise(() => running.ended)
          }
        )
        yield* Effect.promise(() => daemon.line("{"))
        const demo = JSON.parse(yield* command(moved, "alarm", "send", "--demo", "--json"))
        expect(demo.run.state).toBe("delivered")
      }).pipe(Effect.scoped),
    300_000
  )
})
