/** Measures response times of the API and the CLI during a storm, and the memory of the process. */
import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { trigger } from "./HandIn.ts"
import type { Site } from "./Site.ts"

export type Call = "list" | "show" | "health" | "trigger"

/** Interval between two calls of the same kind. Unit: milliseconds. */
const pause = 50

export interface Figures {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

export const figures = (values: ReadonlyArray<number>): Figures => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN)
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}

export const shown = ({ count, max, p50, p99 }: Figures): string => `p50 ${p50} p99 ${p99} max ${max} ms (${count})`

/**
 * Sends API requests until interrupted. `into` collects the milliseconds of each call. `probeAlarm`: the next alarm of
 * the probe.
 */
export const asking = (
  site: Site,
  into: Readonly<Record<Call, Array<number>>>,
  probeAlarm: () => { readonly id: number; readonly subject: string; readonly body: string }
) => {
  const get = async (path: string) => {
    const response = await fetch(`${site.base}${path}`, {
      headers: { "x-service-token": site.token },
      signal: AbortSignal.timeout(30_000)
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path} was answered ${response.status}: ${text.slice(0, 300)}`)
    return JSON.parse(text) as any
  }
  let newest: string | undefined
  const calls: Readonly<Record<Call, () => Promise<unknown>>> = {
    list: async () => (newest = (await get("/api/v1/workflows/runs")).items[0]?.id),
    show: async () => (newest === undefined ? undefined : get(`/api/v1/workflows/runs/${newest}`)),
    health: () => get("/health"),
    trigger: async () => {
      const status = await trigger(site, probeAlarm())
      if (status !== 202) throw new Error(`a trigger was answered ${status}`)
    }
  }
  return Effect.all(
    (Object.keys(calls) as ReadonlyArray<Call>).map((call) =>
      Effect.forever(
        Effect.andThen(
          Effect.promise(async () => {
            const begun = performance.now()
            await calls[call]()
            into[call].push(performance.now() - begun)
          }),
          Effect.sleep(pause)
        )
      )
    ),
    { concurrency: "unbounded", discard: true }
  )
}

/** Duration of one CLI command. Unit: milliseconds. */
export const command = (site: Site, ...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const begun = performance.now()
    yield* site.fleet.cli(...args)
    return performance.now() - begun
  })

/** Resident memory of the process. Unit: MB. */
export const resident = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? NaN) / 1024

/** Samples the memory until interrupted. */
export const sampling = (pid: number, into: Array<number>) =>
  Effect.forever(
    Effect.andThen(
      Effect.sync(() => into.push(resident(pid))),
      Effect.sleep(200)
    )
  )
