/** Speech by espeak-ng as 16 kHz samples, for tests and the training of the embedding. Needs the peers of `speech`. */
import { Result } from "effect"
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { dataOf, makeVoiceData } from "#daemons/wake-word/engine/Exports.ts"
import { madeNames } from "#protocols/wake-word/MadeVoices.ts"
import { espeakArguments, parseVariants, parseVoices, type Utterance } from "#protocols/wake-word/Voices.ts"
import { readWav } from "#protocols/wake-word/Wav.ts"

/** Unit: bytes. Reason: a minute at 22,050 Hz has 2.6 MB. */
const maxOutput = 16 * 1024 * 1024

const espeak = (args: ReadonlyArray<string>, input: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const child = execFile("espeak-ng", [...args], { encoding: "buffer", maxBuffer: maxOutput }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error)
    )
    // A program that reads no input may have ended before the write.
    child.stdin!.on("error", () => undefined)
    child.stdin!.end(input)
  })

/** `data`: from `withMadeVoices`, for utterances of our own variants. */
export const spoken = async (utterance: Utterance, data?: string): Promise<Int16Array> =>
  Result.getOrThrow(readWav(await espeak(espeakArguments(utterance, data), utterance.text), { seconds: 120 }))

/** Speaks all, `at a time` processes together. The results have the order of the utterances. */
export const speakAll = async <A extends Utterance>(
  utterances: ReadonlyArray<A>,
  atATime: number,
  take: (utterance: A, clip: Int16Array, index: number) => void | Promise<void>,
  data?: string
): Promise<void> => {
  let next = 0
  const run = async () => {
    while (next < utterances.length) {
      const index = next++
      const utterance = utterances[index]!
      await take(utterance, await spoken(utterance, data), index)
    }
  }
  await Promise.all(Array.from({ length: atATime }, run))
}

/** Uses a data directory below a temporary folder that also has our own variants. */
export const withMadeVoices = async <A>(use: (made: MadeVoices) => Promise<A>): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), "voices-"))
  try {
    const data = dataOf(String(await espeak(["--version"], "")))
    if (data === undefined) throw new Error("espeak-ng names no data directory")
    return await use({ data: await makeVoiceData(data, folder), made: madeNames.train })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A data directory with our own variants, and their names. */
export interface MadeVoices {
  readonly data: string
  readonly made: ReadonlyArray<string>
}

export const installedVoices = async (language: string) => ({
  voices: parseVoices(String(await espeak([`--voices=${language}`], ""))),
  variants: parseVariants(String(await espeak(["--voices=variant"], "")))
})
