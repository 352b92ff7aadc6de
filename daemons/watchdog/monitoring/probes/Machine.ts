/** Checks of memory and load. */
import { readFile } from "node:fs/promises"
import { availableParallelism, loadavg } from "node:os"
import { Effect } from "effect"
import type { BuiltCheck, Reading, Source } from "../BuiltCheck.ts"
import { say } from "../words/Said.ts"

/** Unit: percent of the memory. Reason: below 5 % available, the kernel soon ends processes. */
const memoryLimits = { direction: "above", warning: 90, critical: 95 } as const

/** Unit: processes that want to run, for each processor. Reason: answers take three times as long. */
const loadLimits = { direction: "above", warning: 3, critical: 6 } as const

/** Failed checks in a row that open an alert of the load. Reason: a nightly job may use all processors for a while. */
const loadFailures = 3

/** Decodes /proc/meminfo to bytes by name. Pure. Source: proc_meminfo(5). */
export const parseMemory = (text: string): ReadonlyMap<string, number> =>
  new Map(
    Array.from(text.matchAll(/^(\w+(?:\(\w+\))?): +(\d+) kB$/gm), ([, name, number]) => [name!, 1024 * Number(number)])
  )

/** Pure. */
export const judgeMemory = (memory: ReadonlyMap<string, number>): Reading => {
  const total = memory.get("MemTotal")
  const available = memory.get("MemAvailable")
  if (total === undefined || available === undefined || total === 0)
    return { value: null, status: "unknown", ...say("memory_unnamed", {}) }
  const used = (100 * (total - available)) / total
  const swap = memory.get("SwapTotal") ?? 0
  return {
    value: used,
    ...say("memory", { share: used, available_bytes: available, total_bytes: total }),
    measurements: {
      total_bytes: total,
      available_bytes: available,
      swap_total_bytes: swap,
      swap_used_bytes: swap - (memory.get("SwapFree") ?? 0)
    }
  }
}

/** Pure. */
export const judgeLoad = (averages: ReadonlyArray<number>, processors: number): Reading => {
  const [one = 0, five = 0, fifteen = 0] = averages
  const each = five / Math.max(1, processors)
  return {
    value: each,
    ...say("load", { load_5: five, processors }),
    measurements: { load_1: one, load_5: five, load_15: fifteen, processors }
  }
}

export const machine = (host: string): Source => {
  const group = `host ${host}`
  const memory: BuiltCheck = {
    key: `${host} memory`,
    kind: "memory",
    group,
    unit: "percent",
    thresholds: memoryLimits,
    version: "",
    probe: Effect.tryPromise(() => readFile("/proc/meminfo", "utf8")).pipe(
      Effect.map((text) => judgeMemory(parseMemory(text))),
      // ProcSubset=pid hides it; the unit of the watchdog has a drop-in.
      Effect.orElseSucceed((): Reading => ({ value: null, status: "unknown", ...say("memory_hidden", {}) }))
    )
  }
  const load: BuiltCheck = {
    key: `${host} load`,
    kind: "load",
    group,
    unit: "processes per processor",
    thresholds: loadLimits,
    failures: loadFailures,
    version: "",
    probe: Effect.sync(() => judgeLoad(loadavg(), availableParallelism()))
  }
  return { name: "machine", kinds: ["memory", "load"], scope: "host", discover: () => Effect.succeed([memory, load]) }
}
