// Words that many voices speak, for the training of the embedding: only content words and voices of the train part, so
// that the held-out words and voices of `Plan.ts` are unseen.

import { augment, otherVoice, trimSilence } from "../../protocols/wake-word/Augment.ts"
import { makeRandom, type Random, seedOf } from "../../protocols/wake-word/Random.ts"
import { inventedWord, plain } from "../../protocols/wake-word/Sentences.ts"
import { english, german, type Vocabulary } from "../../protocols/wake-word/Vocabulary.ts"
import { partOf, type Utterance, voicesOf } from "../../protocols/wake-word/Voices.ts"
import { installedVoices, type MadeVoices, speakAll } from "../../tests/support/EspeakVoices.ts"

export interface SpokenWord {
  /** Number of the word. */
  readonly word: number
  readonly clip: Int16Array
}

/** Maximum number of letters of a word. Reason: a window of the embedding has 775 ms. */
const longestWord = 12

const contentWords = ({ adjectives, names, nouns, verbs }: Vocabulary): ReadonlyArray<string> =>
  [...nouns, ...verbs, ...adjectives, ...names]
    .filter((text) => partOf(text) === "train")
    .map((text) => text.replace(/^(der|die|das) /, ""))
    .filter((text) => plain(text).length >= 3 && text.length <= longestWord && !text.includes(" "))

/** The words with their language. `invented`: number of invented words of each language. */
export const trainWords = (seed: number, invented: number) => {
  const random = makeRandom(seedOf(seed, "invented"))
  return (["de", "en"] as const).flatMap((language) => {
    const own = [...new Set(contentWords(language === "de" ? german : english))]
    const more = Array.from({ length: invented }, () => inventedWord(2 + random.below(2), random))
    return [...own, ...more].map((text) => ({ text, language }))
  })
}

/** Share of the utterances that are spoken by our own variants. */
const madeShare = 0.6

/** Words that one process of espeak-ng speaks, with pauses between them. */
const together = 16

/** Each word `times` times, each time by another voice. Groups whose words cannot be told apart are left out. */
export const speakWords = async (
  words: ReadonlyArray<{ readonly text: string; readonly language: string }>,
  times: number,
  seed: number,
  { data, made }: MadeVoices
): Promise<ReadonlyArray<SpokenWord>> => {
  const groups: Array<Utterance & { readonly words: ReadonlyArray<number> }> = []
  const random = makeRandom(seedOf(seed, "words"))
  for (const language of ["de", "en"]) {
    const { variants, voices } = await installedVoices(language)
    const train = voicesOf(voices, variants, "train")
    const own = made.flatMap((variant) => voices.map((voice) => `${voice}+${variant}`))
    const numbers = words.flatMap((word, index) => (word.language === language ? [index] : []))
    for (let time = 0; time < times; time++) {
      const order = random.shuffled(numbers)
      for (let from = 0; from < order.length; from += together) {
        const group = order.slice(from, from + together)
        groups.push({
          words: group,
          text: group.map((word) => `${words[word]!.text}.`).join("\n\n"),
          voice: random.pick(random.next() < madeShare ? own : train),
          speed: Math.round(random.between(125, 240)),
          pitch: Math.round(random.between(15, 85))
        })
      }
    }
  }
  const spoken: Array<ReadonlyArray<SpokenWord>> = []
  const take = (group: (typeof groups)[number], clip: Int16Array, index: number) => {
    const clips = splitAtPauses(clip)
    spoken[index] =
      clips.length === group.words.length ? clips.map((own, at) => ({ word: group.words[at]!, clip: own })) : []
  }
  await speakAll(groups, 2, take, data)
  return spoken.flat()
}

/** Pause of espeak-ng between two paragraphs, and the highest sample in it. Unit: samples; 200 ms. */
const paragraphPause = 3_200
const silence = 20

const splitAtPauses = (clip: Int16Array): ReadonlyArray<Int16Array> => {
  const clips: Array<Int16Array> = []
  let from = -1
  let last = -1
  for (let at = 0; at <= clip.length; at++) {
    const sound = at < clip.length && Math.abs(clip[at]!) > silence
    if (from >= 0 && (at === clip.length || (sound && at - last > paragraphPause))) {
      clips.push(trimSilence(clip.subarray(from, last + 1)))
      from = -1
    }
    if (!sound) continue
    if (from < 0) from = at
    last = at
  }
  return clips
}

/** Longest pause between two words. Unit: samples; 150 ms. */
const pause = 2_400

/** Words of one clip, and the share of clips that have silence in place of the first and the last one. */
const wordsOfClip = 3
const aloneShare = 1 / 4

/** Words one after the other, augmented, with the middle of each. Unit of the middles: samples. */
export const wordsInContext = (spoken: ReadonlyArray<SpokenWord>, random: Random) => {
  const parts = Array.from({ length: wordsOfClip }, () => random.pick(spoken))
  const clips = parts.map(({ clip }) => otherVoice(clip, random))
  const gaps = clips.map(() => random.below(pause))
  const alone = random.next() < aloneShare
  const clip = new Int16Array(clips.reduce((sum, { length }, index) => sum + length + gaps[index]!, 0))
  const words: Array<{ readonly word: number; readonly middle: number }> = []
  let at = 0
  for (const [index, part] of clips.entries()) {
    if (!alone || index === 1) {
      clip.set(part, at)
      words.push({ word: parts[index]!.word, middle: at + part.length / 2 })
    }
    at += part.length + gaps[index]!
  }
  return { clip: augment(clip, random), words }
}
