/** Warnings about a plan, for a user to read before applying it. */
import { Schema } from "effect"

export const WarningCode = Schema.Literals([
  /** Replaces records of third parties. */
  "foreign_replaced",
  /** Adds our records beside records of third parties. */
  "foreign_extended",
  /** Replaces a third party's MX, so that all mail goes to us. */
  "foreign_mx",
  "foreign_dmarc",
  "foreign_dkim",
  /** Replaces a third party's CNAME by other records. */
  "foreign_cname",
  /** Our CNAME is impossible because third-party records have the same name. */
  "cname_blocked",
  /** The name has two SPF texts; the owner must remove one. */
  "spf_twice",
  "spf_broken",
  "spf_lookups",
  /** A desired record conflicts with another desired record. */
  "left_out"
])

export const Warning = Schema.Struct({
  code: WarningCode,
  type: Schema.String,
  /** Relative to the domain; `@`: the domain itself. */
  name: Schema.String,
  /** English text for users. */
  detail: Schema.String,
  /** Whether the plan changes records of third parties, so that it is not applied automatically. */
  foreign: Schema.Boolean
})
export type Warning = typeof Warning.Type

/** Warnings that stop automatic applying. */
const touching: ReadonlySet<Warning["code"]> = new Set([
  "foreign_replaced",
  "foreign_extended",
  "foreign_mx",
  "foreign_dmarc",
  "foreign_dkim",
  "foreign_cname"
])

export const warning = (
  code: Warning["code"],
  { name, type }: { readonly type: string; readonly name: string },
  detail: string
): Warning => ({ code, type, name, detail, foreign: touching.has(code) })
