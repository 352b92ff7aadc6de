/** The voices of espeak-ng, and how an utterance is spoken. Pure: starts no process. Source: espeak-ng(1). */
import { isMade } from "./MadeVoices.ts"
import { seedOf } from "./Random.ts"

export interface Utterance {
  readonly text: string
  /** Voice with variant, for example `de+f3`. */
  readonly voice: string
  /** Unit: words a minute. */
  readonly speed: number
  /** 0 to 99. */
  readonly pitch: number
}

/** Maximum number of voices or variants that are used. Reason: espeak-ng 1.51 has 100 variants. */
const maxVoices = 500

/**
 * Voices of `espeak-ng --voices=LANGUAGE` that speak without another program. Those in `mb/` need mbrola, which is not
 * in Debian's main section.
 */
export const parseVoices = (output: string): ReadonlyArray<string> =>
  columns(output).flatMap(({ file, language }) => (/^(mb|!v)\//.test(file) ? [] : [language]))

/** Variants of `espeak-ng --voices=variant` that are human voices. */
export const parseVariants = (output: string): ReadonlyArray<string> =>
  columns(output).flatMap(({ file }) => {
    const name = /^!v\/(\w[\w-]*)$/.exec(file)?.[1]
    return name === undefined || noHumanVoice.test(name) ? [] : [name]
  })

/** Robots, whispers and test voices of espeak-ng 1.51. */
const noHumanVoice = /robo|whisper|demonic|announcer|fast|croak|tweaky/i

const columns = (output: string): ReadonlyArray<{ readonly language: string; readonly file: string }> =>
  output
    .split("\n")
    .slice(1, maxVoices + 1)
    .flatMap((line) => {
      const [, language, file] = /^\s*\d+\s+(\S+)\s+\S+\s+\S+\s+(\S+(?: \S+)*)/.exec(line) ?? []
      return language === undefined || file === undefined ? [] : [{ language, file }]
    })

/**
 * Arguments of espeak-ng; the text goes to stdin, the WAV comes on stdout (22,050 Hz, lengths in its header wrong).
 * `data`: folder with the data directory of our own variants.
 */
export const espeakArguments = ({ pitch, speed, voice }: Utterance, data?: string): ReadonlyArray<string> => [
  ...(data === undefined || !isMade(voice) ? [] : [`--path=${data}`]),
  "--stdin",
  "-b",
  "1",
  "-v",
  voice,
  "-s",
  String(speed),
  "-p",
  String(pitch),
  "--stdout"
]

/** `check`: for the early stop and the threshold. `heldOut`: only for the report. */
export type Part = "train" | "check" | "heldOut"

/**
 * Part of a name: about 60 % train, 20 % check, 20 % held out. Does not depend on a seed, so that neither an extractor
 * nor any head of any training has seen what is held out.
 */
export const partOf = (name: string): Part => {
  const share = seedOf(0, name) % 5
  return share === 0 ? "check" : share === 1 ? "heldOut" : "train"
}

/**
 * Part of a variant. Variants of one speaker, such as `steph` to `steph3`, stay together; `m1` and `m2` differ, and so
 * do `klatt` to `klatt6`, because klatt is a way of synthesis and no speaker.
 */
export const partOfVariant = (variant: string): Part =>
  partOf(variant.length > 3 && !variant.startsWith("klatt") ? variant.replace(/\d+$/, "").toLowerCase() : variant)

/** Every voice of a part: each base voice with each variant of that part. */
export const voicesOf = (
  voices: ReadonlyArray<string>,
  variants: ReadonlyArray<string>,
  part: Part
): ReadonlyArray<string> =>
  variants
    .filter((variant) => partOfVariant(variant) === part)
    .flatMap((variant) => voices.map((voice) => `${voice}+${variant}`))
