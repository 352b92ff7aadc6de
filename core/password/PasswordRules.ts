/**
 * Rules for new passwords, and the normal form that is hashed. Pure. Length matters, composition does not; the most
 * common passwords are refused. Source: NIST SP 800-63B §3.1.1.2.
 *
 * The library zxcvbn 4.4.2 takes 14 ms for a passphrase and 4.2 s for 250 characters, which blocks the process; these
 * rules take 5 µs (Node 24). It is 800 KB long.
 */
import { Redacted } from "effect"
import { commonPasswords } from "./CommonPasswords.ts"

/**
 * Unit: characters (code points). Reason: NIST asks for 8 with a second factor and 15 without; ours is optional, so the
 * limit lies between.
 */
export const minPassword = 10

/**
 * Unit: characters (code points). Reason: longer than any passphrase, and cheap to hash. Source: NIST requires
 * accepting at least 64.
 */
export const maxPassword = 1024

/**
 * Normalises a typed password: composed Unicode (NFC), and every space character becomes U+0020. Spaces are not
 * trimmed. Passwords.ts applies it to every password. Source: RFC 8265 §4.2 (OpaqueString), which SASL uses too.
 */
export const prepare = (password: string): string => password.replace(/\p{Zs}/gu, " ").normalize("NFC")

/** Messages by rule code, in English. Each says what to do. */
export const rules = {
  password_too_short: `Use at least ${minPassword} characters; a few words in a row are easy to remember.`,
  password_too_long: `Use at most ${maxPassword} characters.`,
  password_control_characters: "Do not use control characters, including tabs and line breaks.",
  password_one_character: "Use more than one different character.",
  password_is_address: "Do not use your e-mail address.",
  password_too_common: "Choose another password: this one is among the most common and is guessed first."
} as const

export type PasswordRule = keyof typeof rules

/** The rule that the password breaks, or undefined. `email` must be normalised. */
export const brokenRule = (typed: Redacted.Redacted, email: string): PasswordRule | undefined => {
  const given = Redacted.value(typed)
  // Checked first, because the following steps take time proportional to the length.
  if (given.length > 4 * maxPassword) return "password_too_long"
  const password = prepare(given)
  const characters = Array.from(password)
  if (characters.length < minPassword) return "password_too_short"
  if (characters.length > maxPassword) return "password_too_long"
  if (!password.isWellFormed() || /\p{Cc}/u.test(password)) return "password_control_characters"
  const plain = password.toLowerCase()
  if (new Set(Array.from(plain)).size === 1) return "password_one_character"
  if (plain === email || plain === email.slice(0, email.lastIndexOf("@"))) return "password_is_address"
  return commonPasswords.has(plain) || ownCommon.has(plain) ? "password_too_common" : undefined
}

/**
 * Message for a password that breaks a rule, else undefined. Contains no part of the password. `email` must be
 * normalised.
 */
export const problemOf = (typed: Redacted.Redacted, email: string): string | undefined => {
  const rule = brokenRule(typed, email)
  return rule === undefined ? undefined : rules[rule]
}

/**
 * Common passwords that the list lacks: German words, and words with a number or a year. Source: entries shared by
 * published lists of leaked passwords.
 */
const ownCommon: ReadonlySet<string> = new Set(
  `
0123456789 0987654321 9876543210 123123123123 1234512345 1212121212 qwertzuiop password12345 password123!
password1! p@ssw0rd123 p@ssword123 passw0rd123 changeme123 changemenow letmein1234 welcome1234 welcome2024
welcome2025 welcome2026 sunshine123 princess123 baseball123 dragon12345 admin12345 admin123456 adminadmin
root123456 test123456 testtest123 abc1234567 abcdefghij abcdefghijk abc123abc123 passwort12 passwort123
passwort1234 willkommen willkommen1 willkommen123 hallo12345 hallo123456 geheim12345 schatz12345 sommer2024
sommer2025 sommer2026 winter2024 winter2025 winter2026 summer2024 summer2025
`
    .trim()
    .split(/\s+/)
)
