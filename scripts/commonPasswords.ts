/**
 * Writes core/password/CommonPasswords.ts from the list of the package @zxcvbn-ts/language-common: the entries that the
 * length rule does not refuse already. The daemons do not load the package, because it takes 65 ms and 3 MB.
 */
import { dictionary } from "@zxcvbn-ts/language-common"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { minPassword } from "../core/password/PasswordRules.ts"

/** Longest line of the file. Unit: characters. */
const width = 118

/** The entries in the order of the package. */
export const entries = (): ReadonlyArray<string> => [
  ...new Set(
    dictionary["passwords-common"]
      .map((password) => password.toLowerCase())
      .filter((password) => Array.from(password).length >= minPassword && /^[\x21-\x7e]+$/.test(password))
  )
]

/** The file's text. */
export const source = (words: ReadonlyArray<string>): string => {
  const lines = [""]
  for (const word of words) {
    const line = lines.at(-1)!
    if (line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
  }
  const text = lines.map((line) => line.replace(/[\\`]|\$(?=\{)/g, "\\$&")).join("\n")
  return `/**
 * The most common leaked passwords of ten or more characters, in lower case. Source: @zxcvbn-ts/language-common (MIT).
 * Written by scripts/commonPasswords.ts.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  \`
${text}
\`
    .trim()
    .split(/\\s+/)
)
`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  writeFileSync(join(import.meta.dirname, "../core/password/CommonPasswords.ts"), source(entries()))
