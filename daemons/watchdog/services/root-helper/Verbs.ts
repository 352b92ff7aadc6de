/**
 * Requests to the root helper: a fixed list of typed verbs. Pure. A request is one line of JSON. Everything that is not
 * exactly one of these verbs with valid arguments is refused; unknown members are refused too. Without Effect, because
 * the helper starts a process for each request.
 */
import { containerPattern, lists, unitPattern } from "../ServicePatterns.ts"

export type Verb =
  | { readonly verb: "list_units" }
  | { readonly verb: "show_units"; readonly units: ReadonlyArray<string> }
  | { readonly verb: "journal"; readonly unit: string; readonly lines: number; readonly follow: boolean }
  | { readonly verb: "restart_unit"; readonly unit: string }
  | { readonly verb: "restart_container"; readonly name: string }
  | { readonly verb: "read_certificate"; readonly path: string }
  | { readonly verb: "mail_queue" }

export interface Refusal {
  readonly code: "bad_request" | "not_listed" | "failed" | "timed_out"
  readonly detail: string
}

/** First line of an answer. Lines of a journal follow it. */
export type Reply = { readonly ok: true; readonly value?: unknown } | ({ readonly ok: false } & Refusal)

/** Largest request. Unit: bytes. Reason: 200 names of units of up to 255 characters. */
export const maxRequest = 64 * 1024

/** Maximum number of units of one request. */
export const maxUnits = 200

/** Maximum number of earlier lines of a journal. Reason: as many as an answer of the API has (Limits.ts). */
export const maxJournalLines = 5_000

/** Longest path of a certificate. Source: PATH_MAX of Linux. */
const maxPath = 4_095

/** What root allows, from the environment files of the units. */
export interface Allowed {
  readonly restartable: ReadonlyArray<string>
  readonly units: ReadonlyArray<string>
}

type Members = Readonly<Record<string, unknown>>

/** The verb of a request line, or why it is refused. */
export const decode = (line: string, allowed: Allowed): Verb | Refusal => {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return bad("the request is not JSON")
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return bad("the request is no object")
  const request = value as Members
  const has = (...names: ReadonlyArray<string>) =>
    Object.keys(request).length === names.length + 1 && names.every((name) => Object.hasOwn(request, name))
  switch (request["verb"]) {
    case "list_units":
      return has() ? { verb: "list_units" } : extra
    case "mail_queue":
      return has() ? { verb: "mail_queue" } : extra
    case "show_units": {
      const units = request["units"]
      if (!has("units") || !Array.isArray(units) || units.length === 0 || units.length > maxUnits) return extra
      return units.every(isUnit) ? { verb: "show_units", units } : bad("no unit can have this name")
    }
    case "journal": {
      const { follow, lines, unit } = request as { follow?: unknown; lines?: unknown; unit?: unknown }
      if (!has("unit", "lines", "follow") || typeof follow !== "boolean" || !isLines(lines)) return extra
      if (!isUnit(unit)) return bad("no unit can have this name")
      return isReadable(allowed, unit) ? { verb: "journal", unit, lines, follow } : notListed
    }
    case "restart_unit": {
      const unit = request["unit"]
      if (!has("unit")) return extra
      if (!isUnit(unit)) return bad("no unit can have this name")
      return isRestartable(allowed.restartable, unit) ? { verb: "restart_unit", unit } : notListed
    }
    case "restart_container": {
      const name = request["name"]
      if (!has("name")) return extra
      if (typeof name !== "string" || !containerPattern.test(name)) return bad("no container can have this name")
      return lists(allowed.restartable, "container", name) ? { verb: "restart_container", name } : notListed
    }
    case "read_certificate": {
      const path = request["path"]
      if (!has("path")) return extra
      return isPath(path) ? { verb: "read_certificate", path } : bad("the path must be absolute and plain")
    }
    default:
      return bad("the request has no known verb")
  }
}

/** Whether the answer is a refusal. */
export const isRefusal = (decoded: Verb | Refusal): decoded is Refusal => "code" in decoded

const isUnit = (value: unknown): value is string => typeof value === "string" && unitPattern.test(value)

const isLines = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= maxJournalLines

const isPath = (value: unknown): value is string =>
  typeof value === "string" &&
  value.length <= maxPath &&
  value.startsWith("/") &&
  !value.split("/").includes("..") &&
  !/\p{Cc}/u.test(value)

const instance = /^signalbox@([a-z0-9-]+)\.service$/

/** An own daemon is listed by its name, its unit or both. */
export const isRestartable = (restartable: ReadonlyArray<string>, unit: string): boolean => {
  const daemon = instance.exec(unit)?.[1]
  return lists(restartable, "unit", unit) || (daemon !== undefined && lists(restartable, "daemon", daemon))
}

/** Units of the list, and units that may be restarted. */
export const isReadable = ({ restartable, units }: Allowed, unit: string): boolean =>
  lists(units, "unit", unit) || isRestartable(restartable, unit)

const bad = (detail: string): Refusal => ({ code: "bad_request", detail })
const extra = bad("the members of the request do not belong to its verb")
const notListed: Refusal = { code: "not_listed", detail: "the settings do not list this name" }
