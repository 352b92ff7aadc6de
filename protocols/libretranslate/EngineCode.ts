/**
 * Codes of languages at a LibreTranslate server, which differ from BCP 47 for Chinese and Brazilian Portuguese. Pure.
 */
import type { EngineLanguage } from "./Answer.ts"

/** Codes that servers use for a tag, the newer ones first. */
const others: Readonly<Record<string, ReadonlyArray<string>>> = {
  "pt-br": ["pt-BR", "pb"],
  "zh-hans": ["zh-Hans", "zh"],
  "zh-cn": ["zh-Hans", "zh"],
  "zh-hant": ["zh-Hant", "zt"],
  "zh-tw": ["zh-Hant", "zt"],
  nb: ["nb", "no"],
  no: ["nb", "no"]
}

/** Primary tags whose variants are written differently, so that another variant is no replacement. */
const distinct = new Set(["zh"])

/** Code of the target for a language tag; undefined when the server does not translate from `source` into it. */
export const engineCode = (
  languages: ReadonlyArray<EngineLanguage>,
  source: string,
  tag: string
): string | undefined => {
  const targets = languages.find(({ code }) => code === source)?.targets ?? []
  const primary = tag.toLowerCase().split("-", 1)[0]!
  const wanted = [
    tag,
    ...(others[tag.toLowerCase()] ?? []),
    ...(distinct.has(primary) ? [] : [primary, ...(others[primary] ?? [])])
  ]
  for (const code of wanted) {
    const found = targets.find((target) => target.toLowerCase() === code.toLowerCase())
    if (found !== undefined && found !== source) return found
  }
  return undefined
}
