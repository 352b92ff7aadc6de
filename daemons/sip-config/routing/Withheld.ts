/** Callers who do not show their number. Pure. */

/** Number of such a caller, in events, filters and on phones. */
export const withheldNumber = "anonymous"

/** Texts that networks and telephones send in place of a withheld number. Source: RFC 3323 §4.1, RFC 3325, practice. */
const words: ReadonlySet<string> = new Set(["", "anonymous", "private", "restricted", "unavailable", "withheld"])

/**
 * Whether the caller hides the number. `hides`: the switch's flag for callers who ask for privacy (RFC 3325); their
 * number is still in its data.
 */
export const isWithheld = (caller: string, hides: string | undefined): boolean =>
  hides === "true" || words.has(caller.trim().toLowerCase())
