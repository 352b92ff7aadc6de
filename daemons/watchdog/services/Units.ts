/** Reads the state of units from the text of systemctl. Pure. Source: systemctl(1), org.freedesktop.systemd1(5). */
import { unitPattern } from "./ServicePatterns.ts"
import type { Snapshot } from "./Snapshot.ts"

/** Names of the first column of `systemctl list-units --plain --no-legend`. */
export const readUnitNames = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => /^\S+/.exec(line.replace(/^[\u25cf*x] /, "").trim())?.[0] ?? "")
    .filter((name) => unitPattern.test(name))

/**
 * Blocks of `systemctl show`, one a unit, without units that do not exist. `now`: wall clock in milliseconds, and the
 * monotonic clock in microseconds.
 */
export const readUnits = (
  text: string,
  now: { readonly wall: number; readonly monotonic: number }
): ReadonlyArray<Snapshot> =>
  text
    .split(/\n\n+/)
    .map(
      (block) =>
        new Map(
          block.split("\n").flatMap((line): ReadonlyArray<readonly [string, string]> => {
            const at = line.indexOf("=")
            return at === -1 ? [] : [[line.slice(0, at), line.slice(at + 1)]]
          })
        )
    )
    .flatMap((unit) => {
      const name = unit.get("Id") ?? ""
      const load = unit.get("LoadState") ?? ""
      if (!unitPattern.test(name) || load === "not-found" || load === "masked") return []
      const entered = Number(unit.get("ActiveEnterTimestampMonotonic") ?? 0)
      const active = unit.get("ActiveState") ?? ""
      const sub = unit.get("SubState") ?? ""
      return [
        {
          kind: "unit" as const,
          name,
          state: stateOf(active, sub, load),
          health: "none" as const,
          status: `${active} (${sub})`.slice(0, 64),
          description: (unit.get("Description") ?? "").replace(/\p{Cc}/gu, " ").slice(0, 255),
          startedAt: active === "active" && entered > 0 ? new Date(now.wall - (now.monotonic - entered) / 1_000) : null,
          restarts: whole(unit.get("NRestarts")),
          exitCode: active === "active" ? null : whole(unit.get("ExecMainStatus")),
          oomKilled: unit.get("Result") === "oom-kill",
          pid: whole(unit.get("MainPID")) || null,
          memory: whole(unit.get("MemoryCurrent")),
          problems: unit.get("Result") === "success" || active === "active" ? [] : [`result: ${unit.get("Result")}`]
        }
      ]
    })

/** `auto-restart`: systemd waits before it starts the unit again, which is how a restart loop looks. */
const stateOf = (active: string, sub: string, load: string): Snapshot["state"] => {
  if (load === "error" || load === "bad-setting" || active === "failed") return "failed"
  if (sub.startsWith("auto-restart")) return "failed"
  if (active === "active" || active === "reloading" || active === "refreshing") return "running"
  if (active === "activating") return "starting"
  return active === "inactive" || active === "deactivating" ? "stopped" : "unknown"
}

/** Largest number that systemd uses for "not known" is 2^64 - 1. */
const whole = (text: string | undefined): number | null => {
  const value = Number(text ?? "")
  return text !== undefined && /^\d{1,18}$/.test(text) && Number.isSafeInteger(value) ? value : null
}
