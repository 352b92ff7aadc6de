/** The voices of espeak-ng, and how each utterance of a training is spoken. Pure: starts no process. */

export interface Utterance {
  readonly text: string
  /** Voice with variant, for example `de+f3`. */
  readonly voice: string
  /** Unit: words a minute. */
  readonly speed: number
  /** 0 to 99. */
  readonly pitch: number
}

/** Voices of `espeak-ng --voices=LANGUAGE` that speak the language and need no other program (no mbrola). */
export const parseVoices = (output: string): ReadonlyArray<string> => {
  void output
  throw new Error("not implemented")
}

/** Variants of `espeak-ng --voices=variant`, without those that are no human voice. */
export const parseVariants = (output: string): ReadonlyArray<string> => {
  void output
  throw new Error("not implemented")
}

/** Arguments of espeak-ng; the text goes to stdin, the WAV comes on stdout (22,050 Hz, lengths in its header wrong). */
export const espeakArguments = ({ pitch, speed, voice }: Utterance): ReadonlyArray<string> => [
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
