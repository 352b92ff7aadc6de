/** Phase 1, `samples_tts`: speaks the word, near phrases and other speech with every voice of the language. */
import { Effect, Result } from "effect"
import { join } from "node:path"
import { madeNames } from "#protocols/wake-word/MadeVoices.ts"
import { planTraining } from "#protocols/wake-word/Plan.ts"
import { inSeries } from "#protocols/wake-word/Series.ts"
import { readWav } from "#protocols/wake-word/Wav.ts"
import { writeResult } from "./Artefacts.ts"
import { bytesOf, type ClipEntry } from "./Entries.ts"
import { variants, voiceData, voicesOf } from "./Espeak.ts"
import type { PhaseContext } from "./PhaseContext.ts"
import { plans } from "./Sizes.ts"

/** Longest utterance of the speech gateway. Unit: seconds. */
const maxGateway = 10

export const speakPhase = async ({ helpers, progress, start }: PhaseContext): Promise<void> => {
  const { folder, language, seed, size, word } = start
  const { adversarial, hours, positives } = plans[size]
  const data = await Effect.runPromise(voiceData(join(folder, "voices")))
  const plan = planTraining({
    word,
    language,
    seed,
    voices: await Effect.runPromise(voicesOf(language)),
    variants: await Effect.runPromise(variants),
    ...(data === undefined ? {} : { made: madeNames }),
    positives,
    adversarial,
    hours
  })
  await writeResult<ClipEntry>(folder, "samples_tts", async ({ add }) => {
    let from = 0
    const put = async (clip: Int16Array, entry: Pick<ClipEntry, "kind" | "part" | "voice">) => {
      await add({ ...entry, from, samples: clip.length }, bytesOf(clip))
      from += clip.length
    }
    for (const wav of start.gatewayWavs) {
      const clip = readWav(wav, { seconds: maxGateway })
      if (Result.isSuccess(clip)) await put(clip.success, { kind: "positive", part: "train", voice: "speech gateway" })
    }
    const runs = inSeries(plan.utterances).map((run) => run.map((index) => plan.utterances[index]!))
    await helpers.inOrder(
      runs,
      (utterances) => helpers.run("speak", { utterances, data }),
      async (clips, run, index) => {
        for (const [number, clip] of clips.entries()) {
          const { kind, part, voice } = run[number]!
          await put(clip, { kind, part, voice })
        }
        progress((index + 1) / runs.length)
      }
    )
  })
}
