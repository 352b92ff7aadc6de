/**
 * Decodes UPTIME_FILE: days measured by another system, as milliseconds of whole days. Pure. By component and day:
 *
 * `{"mail": {"2026-01-30": 99.5, "2026-01-31": {"up": 287, "total": 288}}}`
 *
 * or as a list:
 *
 * `[{"component_id": "mail", "date": "2026-01-30", "uptime": 99}, {"id": "web", "date": "2026-01-31", "uptime": null}]`
 *
 * A value is a percentage, counts of checks, a status for the whole day, milliseconds by status, or null for a day
 * without measurement.
 */
import { Result } from "effect"
import { dayLength, noShare, type Share, sum } from "../checks/Exports.ts"
import { type Day, historyDays } from "../status/Model.ts"
import { type ComponentStatus, componentStatuses } from "../status/Vocabulary.ts"
import { isDate, isId, maxId } from "../status/Fields.ts"
import { pathIn } from "../status-files/Exports.ts"

/** Largest file. Unit: bytes. Reason: 500 components for a year. */
export const maxUptimeFile = 16 * 1024 * 1024

/** Maximum number of entries. Unit: component days. Reason: 500 components for a year. */
export const maxUptimeDays = 200_000

export interface ImportedDay extends Day {
  readonly component_id: string
}

export interface UptimeRead {
  readonly days: ReadonlyArray<ImportedDay>
  /** Entries left out: before the history, in the future, not measured. Unit: component days. */
  readonly old: number
  readonly future: number
  readonly unmeasured: number
}

/** Days of the file. `today`: in UTC. A failure names the position and the fix. */
export const decodeUptime = (json: unknown, today: string): Result.Result<UptimeRead, string> =>
  Result.gen(function* () {
    const entries = Array.isArray(json) ? yield* listed(json) : yield* mapped(json)
    if (entries.length > maxUptimeDays) {
      return yield* Result.fail(
        `has ${entries.length} days: at most ${maxUptimeDays} are allowed; remove those older than ${historyDays} days`
      )
    }
    const oldest = new Date(Date.parse(today) - (historyDays - 1) * dayLength).toISOString().slice(0, 10)
    const seen = new Set<string>()
    const days: Array<ImportedDay> = []
    let [old, future, unmeasured] = [0, 0, 0]
    for (const { at, component_id, day, value } of entries) {
      const key = `${day} ${component_id}`
      if (seen.has(key)) return yield* Result.fail(`${at} is a second entry for ${component_id} on ${day}: keep one`)
      seen.add(key)
      const share = yield* shareOf(value, at)
      if (share === undefined) unmeasured += 1
      else if (day > today) future += 1
      else if (day < oldest) old += 1
      else days.push({ component_id, day, ...share })
    }
    return { days, old, future, unmeasured }
  })

interface Entry {
  readonly at: string
  readonly component_id: string
  readonly day: string
  readonly value: unknown
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const idProblem = `must be a component's id: 1 to ${maxId} characters of A-Z, a-z, 0-9, "-", "_", "." and "~"`
const dateProblem = "must be a calendar day such as 2026-01-31"

const mapped = (json: unknown): Result.Result<ReadonlyArray<Entry>, string> => {
  if (!isObject(json))
    return Result.fail("must be an object of component ids, each with an object of days, or a list [ ] of days")
  const entries: Array<Entry> = []
  for (const [component_id, days] of Object.entries(json)) {
    const root = pathIn("", [component_id])
    if (!isId(component_id)) return Result.fail(`${root}: this key ${idProblem}`)
    if (!isObject(days)) return Result.fail(`${root} must be an object { } of days`)
    for (const [day, value] of Object.entries(days)) {
      const at = pathIn("", [component_id, day])
      if (!isDate(day)) return Result.fail(`${at}: this key ${dateProblem}`)
      entries.push({ at, component_id, day, value })
    }
  }
  return Result.succeed(entries)
}

const listed = (list: ReadonlyArray<unknown>): Result.Result<ReadonlyArray<Entry>, string> => {
  const entries: Array<Entry> = []
  for (const [index, item] of list.entries()) {
    const at = `[${index}]`
    if (!isObject(item))
      return Result.fail(
        `${at} must be an object such as {"component_id": "mail", "date": "2026-01-31", "uptime": 99.5}`
      )
    const component_id = item["component_id"] ?? item["id"]
    const day = item["date"]
    if (typeof component_id !== "string" || !isId(component_id)) return Result.fail(`${at}.component_id ${idProblem}`)
    if (typeof day !== "string" || !isDate(day)) return Result.fail(`${at}.date ${dateProblem}`)
    const key = ["uptime", "status"].find((one) => Object.hasOwn(item, one))
    if (key === undefined) return Result.fail(`${at} has neither uptime nor status: add one, or remove the entry`)
    entries.push({ at: `${at}.${key}`, component_id, day, value: item[key] })
  }
  return Result.succeed(entries)
}

/** Shares of a day; undefined when it was not measured. Time that was not up counts as down. */
const shareOf = (value: unknown, at: string): Result.Result<Share | undefined, string> => {
  if (value === null) return Result.succeed(undefined)
  if (typeof value === "number") {
    return value >= 0 && value <= 100
      ? Result.succeed(upFor(value / 100))
      : Result.fail(`${at} must be percent, a number from 0 to 100`)
  }
  if (typeof value === "string") {
    return isStatus(value)
      ? Result.succeed({ ...noShare, [value]: dayLength })
      : Result.fail(`${at} must be one of ${componentStatuses.join(", ")}, or percent as a number`)
  }
  if (!isObject(value) || Object.keys(value).length === 0) {
    return Result.fail(`${at} must be percent, {"up": …, "total": …}, a status, or milliseconds by status`)
  }
  return Object.hasOwn(value, "up") || Object.hasOwn(value, "total") ? counted(value, at) : byStatus(value, at)
}

const counted = (
  { total, up }: Readonly<Record<string, unknown>>,
  at: string
): Result.Result<Share | undefined, string> => {
  const isCount = (count: unknown): count is number => typeof count === "number" && Number.isFinite(count) && count >= 0
  if (!isCount(up) || !isCount(total) || up > total)
    return Result.fail(`${at} must have up and total, numbers from 0, up at most total`)
  return Result.succeed(total === 0 ? undefined : upFor(up / total))
}

const byStatus = (value: Readonly<Record<string, unknown>>, at: string): Result.Result<Share | undefined, string> => {
  let share = noShare
  for (const [status, length] of Object.entries(value)) {
    if (!isStatus(status))
      return Result.fail(`${pathIn(at, [status])} is not a status; valid ones are ${componentStatuses.join(", ")}`)
    if (typeof length !== "number" || !Number.isFinite(length) || length < 0)
      return Result.fail(`${at}.${status} must be milliseconds, a number from 0`)
    share = { ...share, [status]: Math.floor(length) }
  }
  const total = sum(share)
  if (total > dayLength) return Result.fail(`${at} exceeds the ${dayLength} milliseconds of a day`)
  return Result.succeed(total === 0 ? undefined : share)
}

const isStatus = (text: string): text is ComponentStatus => (componentStatuses as ReadonlyArray<string>).includes(text)

const upFor = (part: number): Share => {
  const operational = Math.round(part * dayLength)
  return { ...noShare, operational, major_outage: dayLength - operational }
}
