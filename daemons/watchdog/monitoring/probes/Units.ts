/** Checks of systemd units: failed ones, and those that must be active. */
import { Effect, Option, Schema } from "effect"
import type { BuiltCheck, Reading, Source } from "../BuiltCheck.ts"
import { say } from "../words/Said.ts"
import { run } from "./Program.ts"

/** How long a unit that failed stays a check after it was last seen failed. Unit: milliseconds. */
const remembered = 24 * 3_600_000

/** Maximum number of failed units. Reason: a broken template may have thousands of instances. */
const maxUnits = 200

const UnitList = Schema.fromJsonString(Schema.Array(Schema.Struct({ unit: Schema.String })))
const decodeList = Schema.decodeUnknownOption(UnitList)

/** Decodes the JSON of `systemctl list-units`; undefined when it is something else. Pure. */
export const parseUnits = (text: string): ReadonlyArray<string> | undefined =>
  text.trim() === ""
    ? []
    : Option.match(decodeList(text), { onNone: () => undefined, onSome: (list) => list.map(({ unit }) => unit) })

/** Decodes `Name=value` lines. Pure. */
export const parseProperties = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split("\n").flatMap((line) => {
      const at = line.indexOf("=")
      return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const]
    })
  )

/** Pure. `required`: whether the unit must be active. */
export const judgeUnit = (properties: ReadonlyMap<string, string>, required: boolean): Reading => {
  const state = properties.get("ActiveState")
  const restarts = Number(properties.get("NRestarts") ?? 0)
  const measurements = { restarts: Number.isFinite(restarts) ? restarts : 0 }
  if (state === undefined) return { value: null, status: "unknown", ...say("systemd_silent", {}) }
  const said = say("unit", { state, sub_state: properties.get("SubState") ?? "" })
  if (properties.get("LoadState") === "not-found" && required)
    return { value: null, status: "critical", ...say("unit_missing", {}), measurements }
  const result = properties.get("Result") ?? "success"
  if (state === "failed") return { value: null, status: "critical", ...say("unit_failed", { result }), measurements }
  // Between two restarts a unit is activating, with the result of its last run.
  if (state === "activating" && properties.get("SubState") === "auto-restart")
    return { value: null, status: "critical", ...say("unit_restarting", { result }), measurements }
  if (!required || state === "active" || state === "reloading") return { value: null, ...said, measurements }
  return { value: null, status: state === "activating" ? "warning" : "critical", ...said, measurements }
}

const properties = ["LoadState", "ActiveState", "SubState", "Result", "NRestarts"].map((name) => `--property=${name}`)

/** `systemctl`: program that asks systemd. */
export const units = (host: string, required: ReadonlyArray<string>, systemctl = "systemctl"): Source => {
  const failedAt = new Map<string, number>()
  let isFirst = true
  const checkOf = (unit: string): BuiltCheck => ({
    key: `${host} unit ${unit}`.slice(0, 200),
    kind: "unit",
    group: `host ${host}`,
    unit: null,
    thresholds: { direction: "above", warning: null, critical: null },
    version: unit,
    whenTimedOut: "unknown",
    probe: Effect.map(run(systemctl, ["show", ...properties, "--", unit]), ({ code, stdout }) => {
      const reading = judgeUnit(code === 0 ? parseProperties(stdout) : new Map(), required.includes(unit))
      if (reading.status === "critical") failedAt.set(unit, Date.now())
      return reading
    })
  })
  return {
    name: "units",
    kinds: ["unit"],
    scope: "host",
    discover: (known) =>
      Effect.map(
        run(systemctl, ["list-units", "--all", "--state=failed,auto-restart", "--output=json", "--no-pager"]),
        ({ code, error, stdout }) => {
          // A machine without systemd has no units; named ones are then unknown.
          const failed = error === "ENOENT" ? [] : code === 0 ? parseUnits(stdout) : undefined
          if (failed === undefined) return required.length === 0 ? undefined : required.map(checkOf)
          const now = Date.now()
          // After a start: stored units may have failed before it.
          if (isFirst) for (const key of known) failedAt.set(key.slice(`${host} unit `.length), now)
          isFirst = false
          for (const unit of failed.slice(0, maxUnits)) failedAt.set(unit, now)
          for (const [unit, at] of failedAt) if (now - at > remembered) failedAt.delete(unit)
          return [...new Set([...required, ...failedAt.keys()])].map(checkOf)
        }
      )
  }
}
