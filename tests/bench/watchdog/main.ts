// Benchmarks of the watchdog: followed logs (FollowedLog.ts), and a thousand checks against a bare loop with the same
// probes: processor time of each probe, and memory of each check. The interval is shorter than in production, so that
// the run is short; the time of each probe does not depend on it. Of the memory, what the bare loop needs for the same
// probes (sockets, answers, heap for them) is subtracted.

import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { withClient } from "#core/postgres/Bootstrap.ts"
import type { FreshDatabase } from "#support/Postgres.ts"
import { kinds } from "#daemons/watchdog/monitoring/CheckKinds.ts"
import { pause, usage } from "../alarm/Rig.ts"
import { type Figure, figure } from "../Figure.ts"
import { ask } from "../load/Child.ts"
import { onStage } from "../load/Stage.ts"
import { startDaemon } from "../OneDaemon.ts"
import { measureBackup } from "./Backup.ts"
import type { BareOrder } from "./BareLoop.ts"
import { followedLog } from "./FollowedLog.ts"

const checks = 1_000

/** Interval of the checks, and length of the measurement. Units: seconds, milliseconds. */
const interval = 10
const span = 30_000
/** Time for a process to load its modules. Unit: milliseconds. */
const loading = 3_000

/** Targets. Units: multiple of the floor; KiB for each check. Source: the issue. */
const allowedProcessor = 2
const allowedMemory = 40

/** Parts that are measured: `checks`, `log`, `backup`; all by default. */
const parts = (process.env["SIGNALBOX_BENCH_WATCHDOG"] ?? "checks,log,backup").split(",")

export const run = async (): Promise<ReadonlyArray<Figure>> => [
  ...(parts.includes("checks") ? await measureChecks() : []),
  ...(parts.includes("log") ? await followedLog() : []),
  ...(parts.includes("backup") ? await onStage(measureBackup) : [])
]

const measureChecks = (): Promise<ReadonlyArray<Figure>> =>
  onStage(async ({ child, database, folder, keep }) => {
    const server = createServer((_request, response) => void response.end("well"))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    try {
      const bare = child("../watchdog/BareLoop.ts")
      await pause(loading)
      const bareIdle = usage(bare.pid!).node.memory
      await ask(bare, { url, checks, interval: 1_000 * interval } satisfies BareOrder)
      const floor = await measured(bare.pid!, async () => (await ask<{ count: number }>(bare, "count")).count)
      const bareMemory = usage(bare.pid!).node.memory - bareIdle
      bare.kill()

      const subject = keep(
        await startDaemon("watchdog", database, folder, {
          SIGNALBOX_MONITOR_INTERVAL: String(interval),
          SIGNALBOX_MONITOR_WITHOUT: kinds.slice(0, -3).join(",")
        })
      )
      await pause(span)
      const idle = await measured(subject.pid, () => Promise.resolve(0))
      const before = usage(subject.pid).node.memory
      await seed(database, url)
      await pause(span)
      const loaded = await measured(subject.pid, () => samplesOf(database))
      const memory = usage(subject.pid).node.memory
      const each = (loaded.cpu - idle.cpu) / loaded.count
      const bareEach = floor.cpu / floor.count
      return [
        figure("watchdog: processor of a check", 1_000 * each, "ms", {
          floor: 1_000 * bareEach,
          target: 1_000 * bareEach * allowedProcessor
        }),
        figure("watchdog: memory of a check above the bare loop", kibibytes(memory - before - bareMemory), "KiB", {
          target: allowedMemory
        }),
        figure("watchdog: memory of a probe in the bare loop", kibibytes(bareMemory), "KiB")
      ]
    } finally {
      server.close()
    }
  })

/** Share of one check in so many mebibytes. */
const kibibytes = (all: number): number => (all * 1_024) / checks

/** Processor time in seconds, and the number of probes, over one span. */
const measured = async (pid: number, count: () => Promise<number>) => {
  const [cpu, done] = [usage(pid).node.cpu, await count()]
  await pause(span)
  return { cpu: usage(pid).node.cpu - cpu, count: (await count()) - done }
}

const samplesOf = (database: FreshDatabase): Promise<number> =>
  Effect.runPromise(
    withClient(database.superuser, (sql) =>
      Effect.map(
        sql<{ n: number }>`select coalesce(sum(checks), 0)::int as n from watchdog.monitoring_hour`,
        ([row]) => row!.n
      )
    )
  )

const seed = (database: FreshDatabase, url: string): Promise<void> =>
  Effect.runPromise(
    withClient(database.superuser, (sql) =>
      Effect.gen(function* () {
        yield* sql`
          insert into watchdog.monitoring_check (key, kind, origin, found_group, unit, definition)
            select 'check ' || n, 'http', 'operator', 'host 127.0.0.1', 'milliseconds',
                jsonb_build_object('type', 'http', 'url', ${url}::text)
              from generate_series(1, ${checks}::int) n`
        yield* sql`select pg_notify('signalbox', 'monitoring checks')`
      })
    )
  )
