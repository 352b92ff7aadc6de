/** External view of the process during an outage: health, processor time and log. */
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import type { HealthReport } from "#core/daemon/Health.ts"
import type { Site } from "./Site.ts"

export type Daemon = "alarm-bridge" | "comm-dispatcher"
export type Reports = Readonly<Record<Daemon, HealthReport>>

/** Clock ticks per second. Source: sysconf(_SC_CLK_TCK), 100 on every Linux. */
const ticksPerSecond = 100

/** `/health` of both daemons; undefined while one does not answer. */
export const reports = ({ unit }: Site): Effect.Effect<Reports | undefined> =>
  Effect.promise(async () => {
    const addresses = unit.addresses()
    const ask = async (daemon: Daemon) =>
      (
        await fetch(`${addresses[daemon]}/health`, { signal: AbortSignal.timeout(5_000) })
      ).json() as Promise<HealthReport>
    try {
      const [bridge, dispatcher] = await Promise.all([ask("alarm-bridge"), ask("comm-dispatcher")])
      return { "alarm-bridge": bridge, "comm-dispatcher": dispatcher }
    } catch {
      return undefined
    }
  })

/** Unhealthy components and actors, as `comm-dispatcher/messenger: …`. */
export const ailing = (reports: Reports): ReadonlyArray<string> =>
  Object.entries(reports).flatMap(([daemon, { actors, components, status }]) => {
    const parts = Object.entries(components).filter(([, { status }]) => status === "degraded" || status === "down")
    const loops = actors.filter(({ stalled, state }) => stalled || state === "waiting" || state === "escalated")
    const named = [
      ...parts.map(([name, { detail }]) => `${daemon}/${name}: ${detail}`),
      ...loops.map(({ last_failure, name, state }) => `${daemon}/actor ${name} ${state}: ${last_failure?.message}`)
    ]
    return status === "ok" || named.length > 0 ? named : [`${daemon}: ${status}`]
  })

/** Number of restarts by actor. */
export const restarts = (reports: Reports): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(reports).flatMap(([daemon, { actors }]) =>
      actors.map(({ name, restarts }) => [`${daemon}/${name}`, restarts] as const)
    )
  )

/** Processor time of the process and of its ended children. Unit: milliseconds. */
export const processor = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  // utime, stime, cutime and cstime: fields 14 to 17 of proc(5). The array lacks the first two fields.
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) * (1_000 / ticksPerSecond)
}
