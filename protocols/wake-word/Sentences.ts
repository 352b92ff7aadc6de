/**
 * Other speech: sentences and invented words. Pure and deterministic. Content words of one part occur in no other part.
 */
import type { Random } from "./Random.ts"
import { english, german, type Vocabulary } from "./Vocabulary.ts"
import { type Part, partOf } from "./Voices.ts"

/** Languages with sentences of their own; other languages get the English ones. */
export type Language = "de" | "en"

export const vocabularyOf = (language: string): Vocabulary => (/^de\b/.test(language) ? german : english)

/**
 * Share of sentences that are invented words. Reason: sounds that no sentence has; a training needs many of them,
 * because the nouns of its part are few.
 */
const inventedShares: Readonly<Record<Part, number>> = { train: 0.4, check: 0.15, heldOut: 0.15 }

/** One text of about `characters` characters, without the word. */
export const otherSpeech = (language: string, part: Part, word: string, characters: number, random: Random): string => {
  const own = partVocabulary(vocabularyOf(language), part)
  const sentences: Array<string> = []
  for (let length = 0; length < characters;) {
    const sentence = random.next() < inventedShares[part] ? inventedSentence(random) : patternSentence(own, random)
    if (plain(sentence).includes(plain(word))) continue
    sentences.push(sentence)
    length += sentence.length + 1
  }
  return sentences.join(" ")
}

/** Letters only, so that case and punctuation do not matter. */
export const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}]/gu, "")

const partVocabulary = (all: Vocabulary, part: Part): Vocabulary => {
  const own = (items: ReadonlyArray<string>) => items.filter((item) => partOf(item) === part)
  const { adjectives, adverbs, names, nouns, patterns, verbs } = all
  return { nouns: own(nouns), verbs: own(verbs), adjectives: own(adjectives), names: own(names), adverbs, patterns }
}

const patternSentence = (words: Vocabulary, random: Random): string => {
  const sentence = random.pick(words.patterns).replace(/\b[NVADP]\b|#/g, (place) => {
    if (place === "#") return String(1 + random.below(99))
    return random.pick(
      { N: words.nouns, V: words.verbs, A: words.adjectives, D: words.adverbs, P: words.names }[place] ?? []
    )
  })
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

const onsets = "b,d,f,g,h,k,l,m,n,p,r,s,t,w,bl,br,dr,fl,fr,gl,kl,kr,pl,pr,sp,st,tr,sch,z,j".split(",")
const vowels = "a,e,i,o,u,ei,au,a,e,i,o,u,eu".split(",")
const codas = ",,,n,l,r,s,t,m,k,nt,st,rt,ng,f,p".split(",")

/** An invented word of `syllables` syllables. */
export const inventedWord = (syllables: number, random: Random): string =>
  Array.from({ length: syllables }, () => random.pick(onsets) + random.pick(vowels) + random.pick(codas)).join("")

const inventedSentence = (random: Random): string =>
  `${Array.from({ length: 3 + random.below(4) }, () => inventedWord(1 + random.below(4), random)).join(" ")}.`
