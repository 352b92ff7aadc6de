/** Phrases that sound like a wake word, and parts of it. Pure and deterministic. */
import { makeRandom, seedOf } from "./Random.ts"
import { plain } from "./Sentences.ts"

/** Letters that sound alike or stand at the same place of a syllable. */
const alike: ReadonlyArray<string> = ["bpdtgk", "mnlr", "fvws", "szcxj", "aou", "eiä", "aei", "oöuü", "hkr", "ywj"]

/** Share of the word from which a part counts as the word. */
const longestPart = 0.7

/**
 * Fewest letters in which a phrase differs. Reason: a single one, as in golibri for kolibri, is often the same sound in
 * another voice, and a network that must tell them apart misses the word.
 */
const leastDistance = 2

/** At most `count` phrases that differ from the word in two letters or more and do not contain it. */
export const nearPhrases = (word: string, count: number): ReadonlyArray<string> => {
  const random = makeRandom(seedOf(2, plain(word)))
  const found = new Set<string>()
  const add = (phrase: string) => {
    const text = phrase.trim()
    if (plain(text).length < 2 || plain(text).includes(plain(word))) return
    if (distance(plain(text), plain(word)) >= leastDistance) found.add(text)
  }
  const longest = Math.max(2, Math.floor(word.length * longestPart))
  for (const share of [0.4, 0.55, 0.7]) {
    const length = Math.min(longest, Math.round(word.length * share))
    add(word.slice(0, length))
    add(word.slice(word.length - length))
  }
  for (const part of word.split(/\s+/)) if (part !== word) add(part)
  // Bounded: a short word has few variants.
  for (let attempt = 0; found.size < count && attempt < 20 * count; attempt++)
    add(changed(changed(word.toLowerCase(), random.next, attempt), random.next, attempt + 1))
  return [...found].slice(0, count)
}

/** Letters that must be replaced, added or removed to make one text of the other. Source: Levenshtein, 1966. */
const distance = (one: string, other: string): number => {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [row, letter] of Array.from(one, (each, at) => [at + 1, each] as const)) {
    const line = [row]
    for (let at = 1; at <= other.length; at++)
      line.push(Math.min(line[at - 1]! + 1, above[at]! + 1, above[at - 1]! + (letter === other[at - 1] ? 0 : 1)))
    above = line
  }
  return above.at(-1)!
}

/** One letter replaced by one that sounds alike, or by any vowel. */
const changed = (word: string, next: () => number, salt: number): string => {
  const at = Math.floor(next() * word.length)
  const letter = word[at]!
  const groups = alike.filter((group) => group.includes(letter))
  if (groups.length === 0) return word
  const group = groups[salt % groups.length]!
  const other = group[Math.floor(next() * group.length)]!
  return word.slice(0, at) + other + word.slice(at + 1)
}
