/**
 * Phase 3, `augment`: copies of the utterances of the word and of near phrases, as a microphone in a room hears them.
 * Other speech is augmented while its features are computed, and recordings of people too: no copy of them is stored.
 */
import type { Part } from "#protocols/wake-word/Voices.ts"
import { readIndex, withData, writeResult } from "./Artefacts.ts"
import { bytesOf, type ClipEntry, samplesOf } from "./Entries.ts"
import type { PhaseContext } from "./PhaseContext.ts"

/** Other speech before the word. Unit: samples; more than a placed clip has room for. */
const beforeSamples = 32_000

/** Distance of the beginnings of that speech in two utterances. Unit: samples; no multiple of a step. */
const beforeSpread = 74_021

export const augmentPhase = async ({ helpers, progress, start }: PhaseContext): Promise<void> => {
  const { folder, seed } = start
  const spoken = await readIndex<ClipEntry>(folder, "samples_tts")
  const entries = spoken.filter(({ kind }) => kind !== "negative")
  const otherSpeech = (own: Part) => spoken.filter(({ kind, part }) => kind === "negative" && part === own)
  const others = { train: otherSpeech("train"), check: otherSpeech("check"), heldOut: otherSpeech("heldOut") }
  await withData(folder, "samples_tts", (read) =>
    writeResult<ClipEntry>(folder, "augment", async ({ add }) => {
      const samples = async ({ from }: ClipEntry, at: number, count: number) =>
        samplesOf(await read((from + at) * 2, count * 2))
      /** Some other speech of the same part. */
      const before = async (part: Part, index: number) => {
        const other = others[part][index % others[part].length]
        if (other === undefined) return new Int16Array()
        const room = Math.max(0, other.samples - beforeSamples)
        const at = room === 0 ? 0 : (index * beforeSpread) % room
        return samples(other, at, Math.min(beforeSamples, other.samples))
      }
      let from = 0
      await helpers.inOrder(
        entries,
        async (entry, index) => {
          const { kind, part } = entry
          const clip = await samples(entry, 0, entry.samples)
          const prepare = { of: { kind, part }, options: { seed, index } }
          return helpers.run("augment", { clip, before: await before(part, index), prepare })
        },
        async (copies, entry, index) => {
          for (const copy of copies) {
            await add({ ...entry, from, samples: copy.length }, bytesOf(copy))
            from += copy.length
          }
          progress((index + 1) / entries.length)
        }
      )
    })
  )
}
