/**
 * What is spoken for a training: the word, near phrases and other speech, and what is held out. Pure and deterministic
 * by seed. Voices and content words of the held-out part occur in no other part.
 */
import { nearPhrases } from "./NearPhrases.ts"
import type { MadeNames } from "./MadeVoices.ts"
import { makeRandom, type Random, seedOf } from "./Random.ts"
import { otherSpeech } from "./Sentences.ts"
import { type Part, type Utterance, voicesOf } from "./Voices.ts"

export interface PlannedUtterance extends Utterance {
  readonly part: Part
  readonly kind: "positive" | "adversarial" | "negative"
}

export interface PlanOptions {
  readonly word: string
  /** Language of espeak-ng, for example `de` or `en`. */
  readonly language: string
  readonly seed: number
  /** From `parseVoices` and `parseVariants`. */
  readonly voices: ReadonlyArray<string>
  readonly variants: ReadonlyArray<string>
  /** Further variants, for the train and check parts. */
  readonly made?: MadeNames
  /** Positive utterances of each part. */
  readonly positives: Readonly<Record<Part, number>>
  /** Near phrases of the train part; a quarter of them in the check part. */
  readonly adversarial: number
  /** Other speech of each part; espeak-ng's real duration differs by some per cent. Unit: hours. */
  readonly hours: Readonly<Record<Part, number>>
}

/** Sizes that reach the targets of `Validate.ts` for German and English words. */
export const defaultPlan: Pick<PlanOptions, "positives" | "adversarial" | "hours"> = {
  positives: { train: 3_000, check: 400, heldOut: 200 },
  adversarial: 600,
  hours: { train: 3, check: 3, heldOut: 3.2 }
}

export interface Plan {
  readonly utterances: ReadonlyArray<PlannedUtterance>
  /** Voices of the held-out part, for the report. */
  readonly heldOutVoices: ReadonlyArray<string>
}

/** Different near phrases. Reason: each is spoken by several voices. */
const nearCount = 80

/** Characters of one text of other speech. Reason: one process of espeak-ng speaks half a minute. */
const textLength = 400

/** Characters that espeak-ng speaks in a second at 175 words a minute. Source: measured with `Sentences.ts`. */
const charactersPerSecond = 15.5

const parts: ReadonlyArray<Part> = ["train", "check", "heldOut"]

/** Throws a `RangeError` when a part has no voice. */
export const planTraining = (options: PlanOptions): Plan => {
  const { adversarial, hours, language, made, positives, seed, variants, voices, word } = options
  const further = (part: Part) =>
    part === "heldOut" ? [] : (made?.[part] ?? []).flatMap((variant) => voices.map((voice) => `${voice}+${variant}`))
  /** In the check part every second voice is one of espeak-ng. Reason: the held-out voices are of this kind. */
  const orderedVoices = (part: Part, random: Random): ReadonlyArray<string> => {
    const [known, own] = [voicesOf(voices, variants, part), further(part)]
    if (part !== "check" || known.length === 0) return random.shuffled([...known, ...own])
    const [first, second] = [random.shuffled(known), random.shuffled(own)]
    return second.length === 0 ? first : second.flatMap((voice, at) => [voice, first[at % first.length]!])
  }
  const near = nearPhrases(word, nearCount)
  const utterances = parts.flatMap((part): ReadonlyArray<PlannedUtterance> => {
    const random = makeRandom(seedOf(seed, `plan ${part}`))
    const own = orderedVoices(part, random)
    const say = (kind: PlannedUtterance["kind"], count: number, text: () => string) =>
      Array.from({ length: count }, (_, index) => {
        // The voices take turns.
        const voice = own[index % own.length]
        if (voice === undefined) throw new RangeError(`no voice is in the part ${part}`)
        return { kind, part, text: text(), ...manner(voice, random) }
      })
    const spokenNear = part === "train" ? adversarial : part === "check" ? Math.ceil(adversarial / 4) : 0
    const texts = Math.ceil((hours[part] * 3_600 * charactersPerSecond) / textLength)
    return [
      ...say("positive", positives[part], () => word),
      ...say("adversarial", spokenNear, () => random.pick(near)),
      ...say("negative", texts, () => otherSpeech(language, part, word, textLength, random))
    ]
  })
  return { utterances, heldOutVoices: voicesOf(voices, variants, "heldOut") }
}

/** Slow and fast, low and high. Source: openWakeWord varies the speed by 0.7 to 1.3. */
const manner = (voice: string, random: Random): Pick<Utterance, "voice" | "speed" | "pitch"> => ({
  voice,
  speed: Math.round(random.between(125, 225)),
  pitch: Math.round(random.between(20, 80))
})
