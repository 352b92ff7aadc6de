/** What somebody should know about a plan before it is applied. */
import { Schema } from "effect"

export const WarningCode = Schema.Literals([
  /** Records that others made are replaced. */
  "foreign_replaced",
  /** Records that others made stay, and ours come beside them. */
  "foreign_extended",
  /** Mail goes to us alone from now on. */
  "foreign_mx",
  "foreign_dmarc",
  "foreign_dkim",
  /** An alias that others made gives way to records. */
  "foreign_cname",
  /** Our alias cannot be: others' records stand at its name. */
  "cname_blocked",
  /** There are two SPF texts; which one holds is for the owner to say. */
  "spf_twice",
  "spf_broken",
  "spf_lookups",
  /** Something wanted cannot stand beside something else that is wanted. */
  "left_out"
])

export const Warning = Schema.Struct({
  code: WarningCode,
  type: Schema.String,
  /** Below the domain; `@`: the domain itself. */
  name: Schema.String,
  /** For people, in English. */
  detail: Schema.String,
  /** The plan touches what others made: it does not apply itself. */
  foreign: Schema.Boolean
})
export type Warning = typeof Warning.Type

/** Warnings by which a plan waits for a person. */
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
