/** Metrics of the process: build, processor time, memory, open files, event loop, and its actors. */
import { Effect, type Scope } from "effect"
import { readdir } from "node:fs/promises"
import { ProgramVersion } from "../sql/Migrations.ts"
import { type Delays, measure } from "../supervision/LoopDelay.ts"
import type { Supervisor } from "../supervision/Supervisor.ts"
import * as Metrics from "./Metrics.ts"
import { collector } from "./Scrape.ts"

const build = Metrics.gauge("build_info", {
  help: "Version of the program and of Node.js; the value is always 1.",
  labels: ["daemon", "version", "node"]
})
const started = Metrics.gauge("process_start_time_seconds", {
  help: "Time at which the process started, in seconds since 1970.",
  labels: ["daemon"]
})
const processor = Metrics.counter("process_cpu_seconds_total", {
  help: "Processor time of the process, by mode: user or system.",
  labels: ["daemon", "mode"]
})
const memory = Metrics.gauge("process_memory_bytes", {
  help: "Memory of the process, by kind: resident, heap (used by JavaScript), external (buffers).",
  labels: ["daemon", "kind"]
})
const files = Metrics.gauge("process_open_fds", { help: "Open file descriptors of the process.", labels: ["daemon"] })
const loop = Metrics.gauge("event_loop_delay_seconds", {
  help: "Delay of the event loop since the last reading, by percentile; 100 is the longest delay.",
  labels: ["daemon", "percentile"]
})
const actors = Metrics.gauge("actors", {
  help: "Actors by daemon and state; stalled actors are counted as `stalled`, not as running.",
  labels: ["daemon", "state"]
})

/** Percentiles of the event loop's delay, as their label shows them. */
const percentiles: ReadonlyArray<readonly [label: string, of: keyof Delays]> = [
  ["50", "p50"],
  ["99", "p99"],
  ["100", "max"]
]

/** `daemon`: the only one of the process, or `suite`. `supervisors`: those of all daemons that run now. */
export const start = ({
  daemon,
  supervisors
}: {
  readonly daemon: string
  readonly supervisors: () => ReadonlyArray<Supervisor["Service"]>
}): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const delays = yield* measure
    const version = yield* ProgramVersion
    const fixed = [
      build.read({ daemon, version, node: process.versions.node }, () => 1),
      started.read({ daemon }, () => performance.timeOrigin / 1_000),
      processor.read({ daemon, mode: "user" }, () => process.cpuUsage().user / 1e6),
      processor.read({ daemon, mode: "system" }, () => process.cpuUsage().system / 1e6)
    ]
    yield* Effect.addFinalizer(() => Effect.sync(() => fixed.forEach((remove) => remove())))
    yield* collector({
      daemon,
      name: "process",
      collect: Effect.gen(function* () {
        const { external, heapUsed, rss } = process.memoryUsage()
        memory.setAll([
          [{ daemon, kind: "resident" }, rss],
          [{ daemon, kind: "heap" }, heapUsed],
          [{ daemon, kind: "external" }, external]
        ])
        const now = delays()
        loop.setAll(percentiles.map(([percentile, of]) => [{ daemon, percentile }, now[of] / 1_000]))
        const open = yield* Effect.tryPromise(() => readdir("/proc/self/fd"))
        files.setAll([[{ daemon }, open.length]])
        const census = yield* Effect.forEach(supervisors(), (supervisor) => supervisor.census)
        actors.setAll(
          census.flatMap(({ daemon, states }) =>
            Array.from(states, ([state, count]) => [{ daemon, state }, count] as const)
          )
        )
      }),
      clear: () => [memory, loop, files, actors].forEach((gauge) => gauge.setAll([]))
    })
  })
