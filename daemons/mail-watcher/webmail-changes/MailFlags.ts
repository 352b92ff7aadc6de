/**
 * Flags that users may set: `\Seen`, `\Answered`, `\Flagged` and keywords. `\Draft`, `\Deleted` and `\Recent` never
 * change here. Pure. Source: RFC 3501 §2.3.2, §9 (flag-keyword).
 */
import { Schema } from "effect"

/** Longest keyword. Unit: characters. Reason: mail servers accept less; Dovecot accepts 50 in practice. */
const maxKeyword = 64

/** Maximum number of flags in one request. Reason: a maildir holds 26 keywords per folder. */
export const maxFlags = 32

const system = new Map(["\\Seen", "\\Answered", "\\Flagged"].map((flag) => [flag.toLowerCase(), flag]))

/** Characters of an IMAP atom. */
const keyword = /^[^\s(){%*"\\\]\p{C}\u0080-\uffff]+$/u

/** The flag in its canonical spelling. Undefined when users may not set it. */
export const settable = (flag: string): string | undefined =>
  flag.startsWith("\\")
    ? system.get(flag.toLowerCase())
    : flag.length <= maxKeyword && keyword.test(flag)
      ? flag
      : undefined

export const MailFlag = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter((flag: string) =>
      settable(flag) === undefined ? "must be \\Seen, \\Answered, \\Flagged or a keyword (an IMAP atom)" : undefined
    )
  )
)

export type FlagMode = "set" | "add" | "remove"

/** Flags to add and to remove. `current` holds the flags of all the messages together. */
export const flagChange = (
  mode: FlagMode,
  flags: ReadonlyArray<string>,
  current: Iterable<string>
): { readonly add: Array<string>; readonly remove: Array<string> } => {
  const requested = [...new Map(flags.map((flag) => [flag.toLowerCase(), settable(flag)!])).values()]
  if (mode === "add") return { add: requested, remove: [] }
  if (mode === "remove") return { add: [], remove: requested }
  const kept = new Set(requested.map((flag) => flag.toLowerCase()))
  return {
    add: requested,
    remove: [...new Set(current)].filter((flag) => settable(flag) !== undefined && !kept.has(flag.toLowerCase()))
  }
}
