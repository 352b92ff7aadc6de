/**
 * Converts rows of the file in AUTH_DB_PATH, or refuses them with a reason. Pure. Columns: interface document 3 §2.2.
 * SQLite allows any value in any column, so every value is checked.
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

/** A refused row; `bad` names the invalid columns. */
export interface Bad {
  readonly bad: string
}

export const isBad = <A extends object>(row: A | Bad): row is Bad => "bad" in row

/** Longest name and description. Unit: UTF-16 units. */
const maxName = 100
const maxDescription = 200

/**
 * bcrypt hash with a cost of 4 to 15. Reason: a check at cost 15 takes two seconds, within the time limit of a hash; a
 * cost of 31 would occupy a thread for days. The first sign-in replaces a hash of another cost than ours.
 */
const hashForm = /^\$2[aby]\$(?:0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/

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

/** Range of plausible times. Unit: milliseconds since 1970. Reason: all of them are valid in Postgres. */
const [earliest, latest] = [Date.UTC(1990, 0), Date.UTC(2100, 0)]

/**
 * Time as ISO 8601. Accepts the format of SQLite's CURRENT_TIMESTAMP (UTC), ISO 8601, and seconds or milliseconds since
 * 1970; null for any other value.
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
