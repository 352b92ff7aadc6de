import { describe, expect, it } from "vitest"
import { nearPhrases } from "#protocols/wake-word/NearPhrases.ts"
import { planTraining } from "#protocols/wake-word/Plan.ts"
import { makeRandom } from "#protocols/wake-word/Random.ts"
import { otherSpeech, plain } from "#protocols/wake-word/Sentences.ts"
import { english, german } from "#protocols/wake-word/Vocabulary.ts"
import { espeakArguments, parseVariants, parseVoices, partOf, partOfVariant } from "#protocols/wake-word/Voices.ts"

/** Lines of espeak-ng 1.51. */
const voices = `Pty Language       Age/Gender VoiceName          File                 Other Languages
 2  en-gb           --/M      English_(Great_Britain) gmw/en               (en 2)
 3  en-uk           --/M      english-mb-en1     mb/mb-en1            (en-gb 3)(en 2)
 5  en-gb-x-rp      --/M      English_(Received_Pronunciation) gmw/en-GB-x-rp       (en-gb 4)(en 5)
 5  variant         --/M      Storm              !v/Storm             (en-us 5)
`
const variantLines = [
  "m1",
  "m2",
  "f1",
  "f2",
  "f3",
  "Alex",
  "klatt",
  "klatt2",
  "whisper",
  "Mr serious",
  "UniRobot",
  "anika",
  "Linda",
  "belinda",
  "travis",
  "victor",
  "Storm",
  "steph",
  "steph2",
  "grandma",
  "boris",
  "caleb",
  "david",
  "ed"
]
const variants = parseVariants(
  [
    "Pty Language       Age/Gender VoiceName          File                 Other Languages",
    ...variantLines.map((name) => ` 5  variant         25/M      Some_Name          !v/${name.padEnd(18)}`)
  ].join("\n")
)

const options = {
  word: "marigold",
  language: "en",
  seed: 3,
  voices: parseVoices(voices),
  variants,
  positives: { train: 40, check: 10, heldOut: 10 },
  adversarial: 20,
  hours: { train: 0.1, check: 0.05, heldOut: 0.1 }
}

describe("voices", () => {
  it("leave out mbrola, robots and whispers", () => {
    expect(parseVoices(voices)).toEqual(["en-gb", "en-gb-x-rp"])
    expect(variants).toEqual(variantLines.filter((name) => !["whisper", "Mr serious", "UniRobot"].includes(name)))
    expect(parseVoices("")).toEqual([])
  })

  it("of one family are in one part", () => {
    expect(partOfVariant("klatt2")).toBe(partOfVariant("klatt6"))
    expect(partOfVariant("Steph")).toBe(partOfVariant("steph3"))
  })

  it("are options of espeak-ng, and the text is not", () => {
    const spoken = { text: "--help", voice: "de+f3", speed: 150, pitch: 40 }
    expect(espeakArguments(spoken)).toEqual(["--stdin", "-b", "1", "-v", "de+f3", "-s", "150", "-p", "40", "--stdout"])
  })
})

describe("planTraining", () => {
  it("depends only on its options", () => {
    expect(planTraining(options)).toEqual(planTraining(options))
    expect(planTraining({ ...options, seed: 4 })).not.toEqual(planTraining(options))
  })

  it("shares no voice and no content word between the parts", () => {
    const { heldOutVoices, utterances } = planTraining(options)
    const of = (part: string) => utterances.filter((utterance) => utterance.part === part)
    const voicesIn = (part: string) => new Set(of(part).map(({ voice }) => voice))
    for (const other of ["check", "heldOut"])
      expect([...voicesIn(other)].some((voice) => voicesIn("train").has(voice))).toBe(false)
    expect([...voicesIn("heldOut")].every((voice) => heldOutVoices.includes(voice))).toBe(true)
    for (const { part, text } of utterances.filter(({ kind }) => kind === "negative")) {
      expect(plain(text)).not.toContain("marigold")
      for (const noun of english.nouns.filter((noun) => !english.adverbs.join().includes(noun)))
        if (new RegExp(`\\bthe ${noun}\\b`, "i").test(text)) expect(partOf(noun)).toBe(part)
    }
    expect(of("heldOut").some(({ kind }) => kind === "adversarial")).toBe(false)
    expect(of("train").filter(({ kind }) => kind === "positive").length).toBe(40)
  })

  it("needs voices of each part", () => {
    expect(() => planTraining({ ...options, variants: [] })).toThrow("no voice is in the part train")
  })
})

describe("otherSpeech", () => {
  it.each([["de", german] as const, ["en", english] as const])("fills every pattern of %s", (language, words) => {
    for (const part of ["train", "check", "heldOut"] as const) {
      const text = otherSpeech(language, part, "xyzzy", 20_000, makeRandom(1))
      expect(text).not.toMatch(/undefined|#|(?<![\p{L}])[NVDP](?![\p{L}])/u)
      expect(text.length).toBeGreaterThanOrEqual(19_999)
    }
    expect(words.patterns.length).toBeGreaterThan(10)
  })

  it("leaves out sentences with the word", () => {
    const own = english.nouns.find((noun) => partOf(noun) === "train")!
    expect(plain(otherSpeech("en", "train", own, 20_000, makeRandom(1)))).not.toContain(plain(own))
  })
})

describe("nearPhrases", () => {
  it("never contain the word, and differ", () => {
    for (const word of ["Kolibri", "marigold", "Hallo Computer", "a", "ß", "123"]) {
      const phrases = nearPhrases(word, 40)
      expect(phrases).toEqual(nearPhrases(word, 40))
      expect(new Set(phrases).size).toBe(phrases.length)
      for (const phrase of phrases) expect(plain(phrase)).not.toContain(plain(word) || "?")
    }
    expect(nearPhrases("Kolibri", 40).length).toBe(40)
    for (const phrase of nearPhrases("Kolibri", 40))
      if (phrase.length === 7) {
        const others = Array.from(phrase.toLowerCase()).filter((letter, at) => letter !== "kolibri"[at])
        expect(others.length, phrase).toBeGreaterThanOrEqual(2)
      }
    expect(nearPhrases("Hallo Computer", 40)).toContain("Computer")
  })
})
