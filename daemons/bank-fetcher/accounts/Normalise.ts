/**
 * Checks and canonical forms of account fields that no schema can state. Pure. ibantools checks BICs (ISO 9362),
 * because it follows the SWIFT registry.
 */
import { isValidBIC } from "ibantools"
import { isIP } from "node:net"
import { type Cidr, judge } from "#core/http/AddressGuard.ts"
import type { FieldProblem } from "#core/http/Problem.ts"
import { ibanOf } from "../bank-store/Iban.ts"
import { scheduleProblem } from "../bank-store/ScheduleText.ts"

/** Fields that are checked here. */
export interface Checkable {
  readonly iban?: string | undefined
  readonly bic?: string | null | undefined
  readonly server_url?: string | null | undefined
  readonly daily_schedule?: string | null | undefined
  readonly intraday_schedule?: string | null | undefined
}

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
  check("iban", (text) => (ibanOf(text) !== undefined ? undefined : "is not an IBAN: check digits or length are wrong"))
  check("bic", (text) => (isValidBIC(bicOf(text)) ? undefined : "is not a BIC"))
  check("server_url", (text) => urlProblem(text, allow))
  for (const field of ["daily_schedule", "intraday_schedule"] as const) check(field, scheduleProblem)
  return found
}

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
