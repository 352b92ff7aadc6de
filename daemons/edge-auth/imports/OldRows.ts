/**
 * Rows of the file that AUTH_DB_PATH names, made ours or refused with a reason. Pure. The columns are those of
 * interface document 3 §2.2; values are whatever SQLite lets a column hold.
 */
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { RouteRows } from "../routes/Exports.ts"
import type { Role } from "../edge/RouteIndex.ts"
import type { Users } from "../accounts/Exports.ts"

export type Row = Readonly<Record<string, unknown>>

export interface OldUser {
  readonly email: string
  readonly password: string
  readonly name: string
  readonly status: Users.Status
  readonly role: Role
  readonly created_at: string | null
  readonly approved_at: string | null
  readonly last_login: string | null
}

export interface OldRoute {
  readonly host: string
  readonly path: string
  readonly description: string
  readonly required_role: Role
  readonly enabled: 0 | 1
  readonly created_at: string | null
}

/** What is wrong with a row, as a word. */
export interface Bad {
  readonly bad: string
}

export const isBad = <A extends object>(row: A | Bad): row is Bad => "bad" in row

/** Unit: UTF-16 units. */
const maxName = 100
const maxDescription = 200

/**
 * bcrypt at a cost of 4 to 12. Reason: one above is longer than an unknown address takes and so tells whom we know, and
 * one of 31 would hold a thread for days.
 */
const hashForm = /^\$2[aby]\$(?:0[4-9]|1[0-2])\$[./A-Za-z0-9]{53}$/

export const userOf = (row: Row): OldUser | Bad => {
  const email = typeof row["email"] === "string" ? normaliseEmail(row["email"]) : undefined
  if (email === undefined) return { bad: "email" }
  const { password, role, status } = row
  if (typeof password !== "string" || !hashForm.test(password)) return { bad: "password" }
  if (status !== "pending" && status !== "active" && status !== "blocked") return { bad: "status" }
  if (role !== "user" && role !== "admin") return { bad: "role" }
  const name = textOf(row["name"]) ?? email.split("@", 1)[0]!
  if (name.length > maxName || /\p{Cc}/u.test(name)) return { bad: "name" }
  return {
    email,
    password,
    name,
    status,
    role,
    created_at: timeOf(row["created_at"]),
    approved_at: timeOf(row["approved_at"]),
    last_login: timeOf(row["last_login"])
  }
}

export const routeOf = (row: Row): OldRoute | Bad => {
  if (typeof row["host"] !== "string") return { bad: "host" }
  const place = RouteRows.routeKeyOf(row["host"], textOf(row["path"]) ?? "/")
  if (place === undefined) return { bad: "host or path" }
  const { enabled, required_role } = row
  if (required_role !== "user" && required_role !== "admin") return { bad: "required_role" }
  if (enabled !== 0 && enabled !== 1) return { bad: "enabled" }
  const description = (textOf(row["description"]) ?? "").replaceAll("\0", "").slice(0, maxDescription).toWellFormed()
  return { ...place, description, required_role, enabled, created_at: timeOf(row["created_at"]) }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim().toWellFormed() : undefined

/**
 * Times that a row may have. Unit: milliseconds since 1970. Reason: Postgres takes them, and nobody registered before
 * or will have.
 */
const [earliest, latest] = [Date.UTC(1990, 0), Date.UTC(2100, 0)]

/**
 * As SQLite's CURRENT_TIMESTAMP (UTC), ISO 8601, or seconds or milliseconds since 1970; null for what cannot be read.
 */
const timeOf = (value: unknown): string | null => {
  const milliseconds =
    typeof value === "number"
      ? value * (Math.abs(value) < 1e11 ? 1_000 : 1)
      : typeof value === "string" &&
          /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(value)
        ? Date.parse(
            /[ T]/.test(value) && !/(?:Z|[+-]\d\d:?\d\d)$/.test(value)
              ? `${value.replace(" ", "T")}Z`
              : value.replace(" ", "T")
          )
        : Number.NaN
  return milliseconds >= earliest && milliseconds < latest ? new Date(milliseconds).toISOString() : null
}
