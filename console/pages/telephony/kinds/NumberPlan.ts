/** Warnings about the number of an extension. The server sends them in English; this module has the German texts. */
import { language } from "../../../lib/Language.ts"

const german: ReadonlyArray<readonly [RegExp, (extension: string) => string]> = [
  [
    /^(\S+) is in the range of lines /,
    (extension) => `${extension} liegt in 1010–1019 (für Leitungen) und in 1000–1099 (für Mitarbeiter).`
  ],
  [
    /^(\S+) ends in 99, /,
    (extension) => `${extension} endet auf 99 (für Tests) und liegt in 1000–1099 (für Mitarbeiter).`
  ],
  [
    /^(\S+) is in no range of the number plan/,
    (extension) => `${extension} liegt in keinem Bereich des Nummernplans (1000–1099, 21–29, webrtc…, …99).`
  ]
]

/** The warning in German; undefined when there is no translation. Pure. */
export const warningInGerman = (warning: string): string | undefined => {
  for (const [pattern, say] of german) {
    const found = pattern.exec(warning)
    if (found !== null) return say(found[1]!)
  }
  return undefined
}

export const remarksOf = ({ warnings }: { readonly warnings: ReadonlyArray<string> }): ReadonlyArray<string> =>
  language.value === "de" ? warnings.map((warning) => warningInGerman(warning) ?? warning) : warnings
