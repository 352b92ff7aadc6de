/** Ranks the people found. Pure. */

export interface Found {
  readonly address: string
  readonly name: string
  readonly source: "address_book" | "recent"
  /** Name, company and address, folded. */
  readonly folded: string
  /** Mails sent to the address. 0: none is recorded. */
  readonly uses: number
  /** Age of the last mail. Unit: days. */
  readonly days: number
}

/** Age at which a mail counts half. Unit: days. Reason: recipients of last month come before those of last year. */
export const halfLife = 30

/** Number of mails, weighted by the age of the last one. */
export const weight = ({ days, uses }: Pick<Found, "uses" | "days">): number =>
  uses * 0.5 ** (Math.max(0, days) / halfLife)

/**
 * Sorts by prefix matches before matches inside words, then by weight, then by name. Merges entries of one address: the
 * address book's name with the weight of the mails.
 */
export const rank = (
  found: ReadonlyArray<Found>,
  words: ReadonlyArray<string>,
  limit: number
): ReadonlyArray<Found> => {
  const people = new Map<string, Found>()
  for (const person of found) people.set(person.address, merged(people.get(person.address), person))
  return [...people.values()]
    .map((person) => ({ person, key: [begins(person, words) ? 0 : 1, -weight(person)] as const }))
    .sort((a, b) => a.key[0] - b.key[0] || a.key[1] - b.key[1] || compare(a.person.folded, b.person.folded))
    .slice(0, limit)
    .map(({ person }) => person)
}

const merged = (one: Found | undefined, other: Found): Found => {
  if (one === undefined) return other
  const named = one.source === "recent" && other.source === "address_book" ? other : one
  const used = weight(one) >= weight(other) ? one : other
  return { ...named, uses: used.uses, days: used.days }
}

/** Whether every query word is a prefix of a word of the person. */
const begins = ({ folded }: Found, words: ReadonlyArray<string>): boolean =>
  words.every((word) => {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1)) {
      if (at === 0 || !/[\p{L}\p{N}]/u.test(folded[at - 1]!)) return true
    }
    return false
  })

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
