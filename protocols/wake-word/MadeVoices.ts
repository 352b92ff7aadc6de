/**
 * Voices of our own: variants for espeak-ng with random formants, pitch and voicing. Pure and deterministic. Most of
 * them speak for the networks of a training, and the others for the choice of its threshold, because a language has few
 * variants in espeak-ng. None speaks in the held-out part. Source of the attributes: espeak-ng, `docs/voices.md`; the
 * ranges are ours.
 */
import { makeRandom, type Random, seedOf } from "./Random.ts"

export interface MadeVariant {
  /** Name of the variant and of its file. */
  readonly name: string
  /** Text of the file. */
  readonly file: string
}

export type MadeNames = Readonly<Record<"train" | "check", ReadonlyArray<string>>>

/** Whether a voice such as `de+made3` has one of our variants. */
export const isMade = (voice: string): boolean => /\+made\d+$/.test(voice)

/**
 * Number of variants of each part. Reason: several times as many as espeak-ng has. Its check part has nine, and one of
 * them that often sounded like the word changed the threshold.
 */
const variantCounts = { train: 120, check: 40 }

/** Formants of espeak-ng, from 0 to 8. */
const formants = 9

const variant = (name: string, random: Random): MadeVariant => {
  const whole = (least: number, most: number) => Math.round(random.between(least, most))
  /** Length of the vocal tract: all formants together. */
  const tract = random.between(0.84, 1.22)
  const strength = random.between(70, 130)
  const width = random.between(75, 170)
  const base = whole(70, 220)
  const lines = [
    "language variant",
    `name ${name}`,
    `pitch ${base} ${Math.round(base * random.between(1.1, 1.7))}`,
    `flutter ${whole(0, 8)}`,
    `roughness ${whole(0, 4)}`,
    `voicing ${whole(40, 140)}`,
    `consonants ${whole(60, 150)} ${whole(60, 150)}`,
    `intonation ${whole(1, 4)}`,
    `tone 600 ${whole(120, 255)} 1200 ${whole(60, 200)} 2000 ${whole(50, 160)} 3000 ${whole(40, 140)}`
  ]
  for (let formant = 0; formant < formants; formant++) {
    const frequency = 100 * (formant === 0 ? 1 : tract) * random.between(0.94, 1.06)
    // The upper formants are weak or missing in many voices.
    const level = formant < 4 ? strength * random.between(0.8, 1.2) : random.between(0, 130)
    const wide = Math.round(width * random.between(0.8, 1.25))
    lines.push(`formant ${formant} ${Math.round(frequency)} ${Math.round(level)} ${wide}`)
  }
  if (random.next() < 0.3) lines.push(`breath ${Array.from({ length: 8 }, () => whole(0, 6)).join(" ")}`)
  if (random.next() < 0.3) lines.push(`echo ${whole(20, 150)} ${whole(3, 25)}`)
  if (random.next() < 0.4) lines.push(`stressAdd ${Array.from({ length: 8 }, () => whole(-15, 25)).join(" ")}`)
  return { name, file: `${lines.join("\n")}\n` }
}

const variantsFrom = (first: number, count: number): ReadonlyArray<MadeVariant> =>
  Array.from({ length: count }, (_, index) => {
    const name = `made${first + index}`
    return variant(name, makeRandom(seedOf(0, name)))
  })

/** The variants of each part, the same for every training. Our embedding was trained with those of the train part. */
export const madeVariants: Readonly<Record<"train" | "check", ReadonlyArray<MadeVariant>>> = {
  train: variantsFrom(0, variantCounts.train),
  check: variantsFrom(variantCounts.train, variantCounts.check)
}

/** Names of the variants of each part. */
export const madeNames: MadeNames = {
  train: madeVariants.train.map(({ name }) => name),
  check: madeVariants.check.map(({ name }) => name)
}
