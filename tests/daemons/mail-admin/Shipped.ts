/** Shipped files of config/dovecot with filled-in values, as text for a test's Dovecot. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { DovecotVersion } from "#support/peers/DovecotSnippet.ts"

/** `values`: placeholders with their values. Throws when a placeholder is missing, so that a wrong file is detected. */
export const shipped = (version: DovecotVersion, name: string, values: Readonly<Record<string, string>>): string => {
  const file = join(import.meta.dirname, "../../../config/dovecot", version, name)
  return Object.entries(values).reduce(
    (text, [place, value]) => {
      if (!text.includes(place)) throw new Error(`${file} has no ${place}`)
      return text.replaceAll(place, value)
    },
    readFileSync(file, "utf8")
  )
}
