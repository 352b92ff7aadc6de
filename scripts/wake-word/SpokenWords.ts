// Words that many voices speak, for the training of the embedding: only content words and voices of the train part, so
// that the held-out words and voices of `Plan.ts` are unseen.

import { augment, otherVoice, trimSilence } from "../../protocols/wake-word/Augment.ts"
import { makeRandom, type Random, seedOf } from "../../protocols/wake-word/Random.ts"
import { inventedWord, plain } from "../../protocols/wake-word/Sentences.ts"
import { english, german, type Vocabulary } from "../../protocols/wake-word/Vocabulary.ts"
import { partOf, type Utterance, voicesOf } from "../../protocols/wake-word/Voices.ts"
import { installedVoices, speakAll } from "../../tests/support/EspeakVoices.ts"

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

/** Words that one process of espeak-ng speaks, with pauses between them. */
const together = 16

/** Each word `times` times, each time by another voice. Groups whose words cannot be told apart are left out. */
export const speakWords = async (
  words: ReadonlyArray<{ readonly text: string; readonly language: string }>,
  times: number,
  seed: number
): Promise<ReadonlyArray<SpokenWord>> => {
  const groups: Array<Utterance & { readonly words: ReadonlyArray<number> }> = []
  const random = makeRandom(seedOf(seed, "words"))
  for (const language of ["de", "en"]) {
    const { variants, voices } = await installedVoices(language)
    const train = voicesOf(voices, variants, "train")
    const own = words.flatMap((word, index) => (word.language === language ? [index] : []))
    for (let time = 0; time < times; time++) {
      const order = random.shuffled(own)
      for (let from = 0; from < order.length; from += together) {
        const group = order.slice(from, from + together)
        groups.push({
          words: group,
          text: group.map((word) => `${words[word]!.text}.`).join("\n\n"),
          voice: random.pick(train),
          speed: Math.round(random.between(125, 240)),
          pitch: Math.round(random.between(15, 85))
        })
      }
    }
  }
  const spoken: Array<ReadonlyArray<SpokenWord>> = []
  await speakAll(groups, 2, (group, clip, index) => {
    const clips = splitAtPauses(clip)
    spoken[index] =
      clips.length === group.words.length ? clips.map((own, at) => ({ word: group.words[at]!, clip: own })) : []
  })
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

/** A word between two others, augmented, with the samples at which it begins and ends. */
export const wordInContext = (spoken: ReadonlyArray<SpokenWord>, index: number, random: Random) => {
  const parts = [random.pick(spoken), spoken[index]!, random.pick(spoken)].map(({ clip }) => otherVoice(clip, random))
  const gaps = [random.below(pause), random.below(pause)]
  // One in three stands alone.
  const alone = random.next() < 1 / 3
  const length = parts.reduce((sum, part) => sum + part.length, 0) + gaps[0]! + gaps[1]!
  const clip = new Int16Array(length)
  const from = parts[0]!.length + gaps[0]!
  const to = from + parts[1]!.length
  clip.set(parts[1]!, from)
  if (!alone) {
    clip.set(parts[0]!, 0)
    clip.set(parts[2]!, to + gaps[1]!)
  }
  return { clip: augment(clip, random), from, to }
}
