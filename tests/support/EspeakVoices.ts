/** Speech by espeak-ng as 16 kHz samples, for tests and the training of the embedding. Needs the peers of `speech`. */
import { Result } from "effect"
import { execFile } from "node:child_process"
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

export const spoken = async (utterance: Utterance): Promise<Int16Array> =>
  Result.getOrThrow(readWav(await espeak(espeakArguments(utterance), utterance.text), { seconds: 120 }))

/** Speaks all, `at a time` processes together. The results have the order of the utterances. */
export const speakAll = async <A extends Utterance>(
  utterances: ReadonlyArray<A>,
  atATime: number,
  take: (utterance: A, clip: Int16Array, index: number) => void | Promise<void>
): Promise<void> => {
  let next = 0
  const run = async () => {
    while (next < utterances.length) {
      const index = next++
      const utterance = utterances[index]!
      await take(utterance, await spoken(utterance), index)
    }
  }
  await Promise.all(Array.from({ length: atATime }, run))
}

export const installedVoices = async (language: string) => ({
  voices: parseVoices(String(await espeak([`--voices=${language}`], ""))),
  variants: parseVariants(String(await espeak(["--voices=variant"], "")))
})
