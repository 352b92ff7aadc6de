/**
 * Checks and canonical forms of account fields that no schema can state. Pure.
 *
 * The library ibantools checks IBANs (ISO 13616: form and length of each country, check digits modulo 97) and BICs (ISO
 * 9362). It is MIT, has no dependencies, and follows the SWIFT registry, which changes every year.
 */
import { electronicFormatIBAN, isValidBIC, isValidIBAN } from "ibantools"
import { validate } from "node-cron"
import { isIP } from "node:net"
import { type Cidr, judge } from "#core/http/AddressGuard.ts"
import type { FieldProblem } from "#core/http/Problem.ts"

/** Fields that are checked here. */
export interface Checkable {
  readonly iban?: string | undefined
  readonly bic?: string | null | undefined
  readonly server_url?: string | null | undefined
  readonly daily_schedule?: string | null | undefined
  readonly intraday_schedule?: string | null | undefined
}

/** IBAN without blanks, in upper case. */
export const ibanOf = (text: string): string => electronicFormatIBAN(text) ?? ""

/** BIC without blanks, in upper case. */
export const bicOf = (text: string): string => text.replace(/\s/g, "").toUpperCase()

/** Problems of the given fields. `allow`: private networks in which banks may be. */
export const problemsOf = (given: Checkable, allow: ReadonlyArray<Cidr>): ReadonlyArray<FieldProblem> => {
  const found: Array<FieldProblem> = []
  const check = (field: keyof Checkable, problem: (text: string) => string | undefined) => {
    const value = given[field]
    const message = value === undefined || value === null ? undefined : problem(value)
    if (message !== undefined) found.push({ field: `payload.${field}`, message })
  }
  check("iban", (text) => (isValidIBAN(ibanOf(text)) ? undefined : "is not an IBAN: check digits or length are wrong"))
  check("bic", (text) => (isValidBIC(bicOf(text)) ? undefined : "is not a BIC"))
  check("server_url", (text) => urlProblem(text, allow))
  for (const field of ["daily_schedule", "intraday_schedule"] as const) check(field, scheduleProblem)
  return found
}

const scheduleProblem = (text: string): string | undefined =>
  text.trim().split(/\s+/).length === 5 && validate(text)
    ? undefined
    : "must be a cron expression with five fields, such as 0 8 * * 1-5"

const urlProblem = (text: string, allow: ReadonlyArray<Cidr>): string | undefined => {
  const url = URL.parse(text)
  if (url === null || url.protocol !== "https:")
    return "must be an https address such as https://ebics.example.org/ebics"
  if (url.username !== "" || url.password !== "") return "must not contain a user name or a password"
  if (url.hash !== "") return "must have no fragment"
  const host = url.hostname.replace(/^\[|\]$/g, "")
  // Names are resolved and judged at each request.
  if (isIP(host) > 0 && "forbidden" in judge(host, allow)) return "must be a public address"
  return host === "localhost" ? "must be a public address" : undefined
}
