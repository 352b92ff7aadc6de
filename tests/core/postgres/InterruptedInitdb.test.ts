/** The first start of an embedded Postgres that ends while initdb is at work. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { databaseDirectory } from "#support/PreparedCluster.ts"
import { eventually, signal } from "#support/Processes.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { holder, noServer } from "./EmbeddedServers.ts"

/** A new data directory, and functions that tell how far initdb has come in it. */
const newDirectory = Effect.gen(function* () {
  const dataDir = yield* databaseDirectory()
  const root = join(dataDir, "postgres")
  const unfinished = () => (existsSync(root) ? readdirSync(root).filter((name) => name.startsWith("init-")) : [])
  const isOver = () => existsSync(join(root, "data"))
  const untilAtWork = eventually(
    "initdb at work, or over",
    () => isOver() || unfinished().some((name) => existsSync(join(root, name, "base"))),
    30
  )
  return { dataDir, root, unfinished, isOver, untilAtWork }
})

/**
 * Command line and working directory of a process; empty when it does not exist. initdb starts servers whose command
 * line does not name the cluster.
 */
const commandOf = (pid: string): string => {
  try {
    return `${readFileSync(`/proc/${pid}/cmdline`, "utf8")} ${readlinkSync(`/proc/${pid}/cwd`)}`
  } catch {
    return ""
  }
}

// Each test starts several processes.
describe("EmbeddedPostgres", { timeout: 120_000 }, () => {
  it.live("starts after SIGKILL in the middle of initdb", () =>
    Effect.gen(function* () {
      const killed = Effect.gen(function* () {
        const { dataDir, isOver, unfinished, untilAtWork } = yield* newDirectory
        const first = yield* holder(dataDir)
        yield* untilAtWork
        yield* first.kill("SIGKILL")
        if (isOver()) yield* noServer(dataDir)
        return { dataDir, isOver, unfinished }
      })
      // On a busy machine initdb may be over before this test looks. Then another one is killed.
      const { dataDir, isOver, unfinished } = yield* Effect.repeat(killed, { until: (one) => !one.isOver(), times: 9 })
      assert.isFalse(isOver())
      // Unfinished data directories are deleted once their creator has ended.
      const names = unfinished()
      yield* eventually(
        "the killed one is gone, and what it had started",
        () =>
          readdirSync("/proc")
            .filter((pid) => /^\d+$/.test(pid))
            .every((pid) => names.every((name) => !name.startsWith(`init-${pid}-`) && !commandOf(pid).includes(name))),
        30
      )
      yield* start({ dataDir, fsync: false })
      assert.deepStrictEqual(unfinished(), [])
    }).pipe(Effect.scoped)
  )

  it.live("ends initdb when the start is interrupted", () =>
    Effect.gen(function* () {
      const paused = Effect.gen(function* () {
        const { dataDir, root, unfinished, untilAtWork } = yield* newDirectory
        const starting = yield* Effect.forkChild(Effect.scoped(start({ dataDir, fsync: false })))
        yield* untilAtWork
        const initdb = () =>
          readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(`/bin/initdb\0-D\0${root}`))
        // Paused, because initdb would end by itself once its directory is gone.
        for (const pid of initdb()) signal(Number(pid), "SIGSTOP")
        if (initdb().length === 0) yield* Fiber.interrupt(starting)
        return { initdb, starting, unfinished }
      })
      // On a busy machine initdb may be over before this test looks. Then another one is paused.
      const { initdb, starting, unfinished } = yield* Effect.repeat(paused, {
        until: (one) => one.initdb().length > 0,
        times: 9
      })
      assert.isNotEmpty(initdb())
      yield* Fiber.interrupt(starting)
      assert.deepStrictEqual(initdb(), [])
      assert.deepStrictEqual(unfinished(), [])
    }).pipe(Effect.scoped)
  )
})
