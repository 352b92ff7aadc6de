/**
 * Detects labels that mix scripts, a way to imitate another name. Pure. It does not detect similar characters: a label
 * wholly in Cyrillic that looks like Latin passes.
 */

/**
 * Whether a label mixes scripts. Source: UTS 39 §5.2, "highly restrictive": one script, or Latin with the scripts of
 * Chinese, Japanese or Korean. Characters outside the recommended scripts (UAX 31 table 5) also count as mixed.
 */
export const mixesScripts = (label: string): boolean =>
  !ascii.test(label) && !allowed.some((pattern) => pattern.test(label))

// oxlint-disable-next-line no-control-regex
const ascii = /^[\x00-\x7f]*$/

/** Recommended scripts, the frequent ones first. */
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
