/**
 * Field :86: as German banks fill it: a three-digit code (GVC), then sub-fields with two-digit numbers. Pure. Lines end
 * anywhere, even inside a number, so they are joined first. Source: DK, Anlage 3, MT940 field 86.
 */

export interface GermanDetails {
  /** Undefined: the field is not structured, and `text` is its content. */
  readonly gvc?: string
  readonly postingText?: string
  readonly primaNota?: string
  readonly bic?: string
  readonly account?: string
  readonly name?: string
  readonly textKey?: string
  /** Purpose lines as sent. */
  readonly lines: ReadonlyArray<string>
  /** Purpose: SVWZ when there are SEPA tags, else all lines. */
  readonly text: string
  /** SEPA tags by name: EREF, MREF, CRED, … */
  readonly tags: Readonly<Partial<Record<SepaTag, string>>>
}

export type SepaTag = (typeof sepaTags)[number]

const sepaTags = [
  "EREF",
  "KREF",
  "MREF",
  "CRED",
  "DEBT",
  "COAM",
  "OAMT",
  "SVWZ",
  "ABWA",
  "ABWE",
  "IBAN",
  "BIC",
  "PURP"
] as const

export const parseGermanDetails = (lines: ReadonlyArray<string>): GermanDetails => {
  const joined = lines.join("")
  const [, gvc, separator] = /^(\d{3})([^\dA-Za-z\s])(?=\d{2})/.exec(joined) ?? []
  if (gvc === undefined || separator === undefined) {
    const text = lines.join(" ").trim()
    return { lines, text, tags: {} }
  }
  const fields = subFields(joined.slice(3), separator)
  const purposes = fields.filter(([number]) => (number >= 20 && number <= 29) || (number >= 60 && number <= 63))
  const value = (number: number) => fields.find(([one]) => one === number)?.[1].trim() || undefined
  const purposeLines = purposes.map(([, text]) => text)
  const { tags, untagged } = readTags(purposeLines)
  const name = [32, 33].map((number) => fields.find(([one]) => one === number)?.[1] ?? "").join("")
  return {
    gvc,
    lines: purposeLines,
    text: (tags.SVWZ ?? untagged).trim(),
    tags,
    ...optional("postingText", value(0)),
    ...optional("primaNota", value(10)),
    ...optional("bic", value(30) ?? tags.BIC),
    ...optional("account", value(31) ?? tags.IBAN),
    ...optional("name", name.trim() || undefined),
    ...optional("textKey", value(34))
  }
}

const optional = <K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: string })

/** A separator in a text is no border, unless a known number above the one before it follows. */
const subFields = (text: string, separator: string): ReadonlyArray<readonly [number: number, text: string]> => {
  const fields: Array<[number, string]> = []
  for (const part of text.split(separator).slice(1)) {
    const number = /^\d{2}/.test(part) ? Number(part.slice(0, 2)) : -1
    const last = fields.at(-1)
    if (isKnown(number) && number > (last?.[0] ?? -1)) fields.push([number, part.slice(2)])
    else if (last !== undefined) last[1] += separator + part
  }
  return fields
}

const isKnown = (number: number): boolean =>
  number === 0 || number === 10 || (number >= 20 && number <= 34) || (number >= 60 && number <= 63)

/**
 * SEPA tags of the joined lines. `NAME+` counts anywhere, because banks cut lines inside tags. Some banks write `:` or
 * `-`, which counts only at the start of a line, since it is usual in texts.
 */
const readTags = (lines: ReadonlyArray<string>) => {
  const joined = lines.join("")
  const starts = new Set<number>()
  let offset = 0
  for (const line of lines) {
    starts.add(offset)
    offset += line.length
  }
  const found = [...joined.matchAll(tagPattern)].filter(({ index, 2: mark }) => mark === "+" || starts.has(index))
  const tags: Partial<Record<SepaTag, string>> = {}
  for (const [at, match] of found.entries()) {
    const name = match[1] as SepaTag
    const text = joined.slice(match.index + match[0].length, found[at + 1]?.index ?? joined.length).trim()
    tags[name] ??= text
  }
  return { tags, untagged: joined.slice(0, found[0]?.index ?? joined.length) }
}

const tagPattern = new RegExp(`(${sepaTags.join("|")})([+:-])`, "g")
