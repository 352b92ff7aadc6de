/**
 * Makes text of a log safe to show. Pure, linear in the length of the text. A terminal would obey escape sequences, and
 * characters that change the direction of writing can disguise a line.
 */

/** Longest line. Unit: UTF-16 units. Reason: as LogFrames; journal entries can be longer. */
export const maxLine = 8 * 1024

// No alternative can match a part of another, and no run contains the character that starts a sequence.
const sequences =
  // oxlint-disable-next-line no-control-regex
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]/g

const controls = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** The text without escape sequences and control characters, at most `maxLine` long. */
export const clean = (text: string): { readonly text: string; readonly cut: boolean } => {
  const cut = text.length > maxLine
  // Cut first, because the rest would be work without result.
  const kept = cut ? text.slice(0, maxLine) : text
  const bare = kept.replace(sequences, "").replace(controls, (found) => (found === "\t" ? "\t" : ""))
  return { text: bare.isWellFormed() ? bare : bare.toWellFormed(), cut }
}
