/**
 * Whether a label mixes scripts, as names made to look like others do. Pure. Does not know single characters that look
 * alike within one script or between two: a whole label in Cyrillic that reads as Latin passes.
 */

/**
 * Source: UTS 39 §5.2, "highly restrictive": one script, or Latin with what Chinese, Japanese and Korean are written
 * in. What is in none of the recommended scripts (UAX 31 table 5) counts as mixed, too.
 */
export const mixesScripts = (label: string): boolean =>
  !ascii.test(label) && !allowed.some((pattern) => pattern.test(label))

// oxlint-disable-next-line no-control-regex
const ascii = /^[\x00-\x7f]*$/

/** In the order in which they are likely. */
const recommended = [
  "Latin",
  "Cyrillic",
  "Greek",
  "Han",
  "Arabic",
  "Hebrew",
  "Armenian",
  "Bengali",
  "Bopomofo",
  "Devanagari",
  "Ethiopic",
  "Georgian",
  "Gujarati",
  "Gurmukhi",
  "Hangul",
  "Hiragana",
  "Kannada",
  "Katakana",
  "Khmer",
  "Lao",
  "Malayalam",
  "Myanmar",
  "Oriya",
  "Sinhala",
  "Tamil",
  "Telugu",
  "Thaana",
  "Thai",
  "Tibetan"
]

const together = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"]
]

const allowed = [...recommended.map((script) => [script]), ...together].map(
  (scripts) =>
    new RegExp(`^[${scripts.map((script) => `\\p{scx=${script}}`).join("")}\\p{sc=Common}\\p{sc=Inherited}]*$`, "u")
)
