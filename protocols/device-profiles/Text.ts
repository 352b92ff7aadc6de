/**
 * Text of names and other values for the formats of this folder. Pure. Each format escapes its own markup; this file
 * removes only what no format can hold.
 */

/** Longest value that is written. Unit: UTF-16 units. Reason: no field of these devices shows or stores more. */
export const maxValue = 1_024

/**
 * `text` on one line: control characters, line and paragraph separators and characters that XML 1.0 forbids become
 * spaces, runs of spaces become one, and the ends are trimmed. Bidirectional controls are removed, because they make a
 * name on a display read as another one.
 */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(bidirectional, "")
    .replace(unwritable, " ")
    .replace(/ {2,}/g, " ")
    .trim()
    .slice(0, maxValue)
    .toWellFormed()

/** Source: Unicode 16 §23.2, explicit directional formatting characters. */
const bidirectional = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** Source: XML 1.0 §2.2; Unicode categories Cc, Zl and Zp. */
const unwritable = /[\p{Cc}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu
