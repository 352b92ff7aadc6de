/**
 * Rules of calls that users of a tenant request: the numbers, and how many calls an hour. Pure. The rules of the
 * installation count for every tenant; SIGNALBOX_CALLS_TENANTS replaces them for single tenants.
 */
import { Result } from "effect"
import { type CountryCode, getCountryCallingCode } from "libphonenumber-js/min"
import { prefixProblem } from "../../channels/Exports.ts"

export interface TenantCallRule {
  /** Beginnings of numbers in E.164. */
  readonly prefixes: ReadonlyArray<string>
  readonly perHour: number
}

/** Bounds of `perHour`. Reason: 0 forbids calls; above a call a second it is no limit. Unit: calls. */
export const perHourBounds = { least: 0, most: 3_600 } as const

/** Parses SIGNALBOX_CALLS_TENANTS: `[{"tenant": 2, "prefixes": ["+49", "+43"], "per_hour": 100}]`. */
export const parse = (text: string): Result.Result<ReadonlyMap<number, Partial<TenantCallRule>>, string> => {
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    return Result.fail("must be JSON")
  }
  if (!Array.isArray(list)) return Result.fail("must be a list")
  const rules = new Map<number, Partial<TenantCallRule>>()
  for (const [index, item] of list.entries()) {
    const { per_hour: perHour, prefixes, tenant, ...other } = Object(item) as Readonly<Record<string, unknown>>
    const at = `item ${index + 1}`
    if (!Number.isInteger(tenant) || (tenant as number) < 1) return Result.fail(`${at}: tenant must be an id`)
    if (rules.has(tenant as number)) return Result.fail(`${at}: tenant ${tenant as number} has a rule already`)
    const [unknown] = Object.keys(other)
    if (unknown !== undefined) return Result.fail(`${at}: ${unknown} is not known`)
    if (perHour !== undefined && !isPerHour(perHour))
      return Result.fail(`${at}: per_hour must be from ${perHourBounds.least} to ${perHourBounds.most}`)
    if (prefixes !== undefined && !isPrefixes(prefixes)) return Result.fail(`${at}: prefixes must be like "+49"`)
    rules.set(tenant as number, {
      ...(perHour === undefined ? {} : { perHour }),
      ...(prefixes === undefined ? {} : { prefixes })
    })
  }
  return Result.succeed(rules)
}

const isPerHour = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= perHourBounds.least && (value as number) <= perHourBounds.most

const isPrefixes = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((one) => typeof one === "string" && prefixProblem(one) === undefined)

/** Beginnings of numbers when none are configured: the installation's own country. */
export const homePrefixes = (country: CountryCode): ReadonlyArray<string> => [`+${getCountryCallingCode(country)}`]

/** Characters of a text that are spoken in a second. Reason: slow speech, 130 words of six letters a minute. */
const charactersPerSecond = 13

/** Estimated length of a call after the answer. Unit: seconds. `spoken`: longest spoken text in characters. */
export const estimatedSeconds = (call: {
  readonly text: string
  readonly spoken: number
  readonly pauseMs: number
  readonly repeat: number
}): number =>
  Math.ceil(call.pauseMs / 1_000 + (call.repeat * Math.min(call.text.length, call.spoken)) / charactersPerSecond)
