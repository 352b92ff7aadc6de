/**
 * Phase 3, `augment`: copies of the utterances of the word and of near phrases, as a microphone in a room hears them.
 * Other speech is augmented while its features are computed, and recordings of people too: no copy of them is stored.
 */
import { prepareClip } from "#protocols/wake-word/Prepare.ts"
import { readIndex, withData, writeResult } from "./Artefacts.ts"
import { bytesOf, type ClipEntry, samplesOf } from "./Entries.ts"
import type { PhaseContext } from "./PhaseContext.ts"

/** Other speech before the word. Unit: samples; more than a placed clip has room for. */
const beforeSamples = 32_000

/** Distance of the beginnings of that speech in two utterances. Unit: samples; no multiple of a step. */
const beforeSpread = 74_021

/** Utterances between two reports. */
const reportEvery = 32

export const augmentPhase = async ({ progress, start }: PhaseContext): Promise<void> => {
  const { folder, seed } = start
  const spoken = await readIndex<ClipEntry>(folder, "samples_tts")
  const entries = spoken.filter(({ kind }) => kind !== "negative")
  await withData(folder, "samples_tts", (read) =>
    writeResult<ClipEntry>(folder, "augment", async ({ add }) => {
      const part = async ({ from }: ClipEntry, at: number, samples: number) =>
        samplesOf(await read((from + at) * 2, samples * 2))
      /** Some other speech of the same part. */
      const before = async ({ part: own }: ClipEntry, index: number) => {
        const others = spoken.filter(({ kind, part }) => kind === "negative" && part === own)
        const other = others[index % others.length]
        if (other === undefined) return new Int16Array()
        const room = Math.max(0, other.samples - beforeSamples)
        return part(other, room === 0 ? 0 : (index * beforeSpread) % room, Math.min(beforeSamples, other.samples))
      }
      let from = 0
      for (const [index, entry] of entries.entries()) {
        const copies = prepareClip(entry, await part(entry, 0, entry.samples), {
          seed,
          index,
          before: await before(entry, index)
        })
        for (const copy of copies) {
          await add({ ...entry, from, samples: copy.length }, bytesOf(copy))
          from += copy.length
        }
        if (index % reportEvery === 0) progress(index / entries.length)
      }
    })
  )
}
