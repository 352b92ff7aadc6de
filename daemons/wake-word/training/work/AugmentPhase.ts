/**
 * Phase 3, `augment`: copies of the utterances of the word and of near phrases, as a microphone in a room hears them.
 * Other speech is augmented while its features are computed, and recordings of people too: no copy of them is stored.
 */
import { augment, placeClip } from "#protocols/wake-word/Augment.ts"
import { makeRandom, type Random, seedOf } from "#protocols/wake-word/Random.ts"
import { readIndex, withData, writeResult } from "./Artefacts.ts"
import { bytesOf, type ClipEntry, samplesOf } from "./Entries.ts"
import type { PhaseContext } from "./PhaseContext.ts"
import { plans } from "./Sizes.ts"

/** Silence after an utterance that is only measured. Unit: samples; half a second, as after a real one. */
const silenceAfter = 8_000

/** Utterances between two reports. */
const reportEvery = 32

/** Copies of an utterance for training. */
export const copiesOf = (clip: Int16Array, count: number, random: Random): ReadonlyArray<Int16Array> =>
  Array.from({ length: count }, () => augment(placeClip(clip, random), random))

/** The utterance as it is measured: once, and not changed. */
export const measuredOf = (clip: Int16Array, random: Random): Int16Array => {
  const placed = placeClip(clip, random)
  const whole = new Int16Array(placed.length + silenceAfter)
  whole.set(placed)
  return whole
}

export const augmentPhase = async ({ progress, start }: PhaseContext): Promise<void> => {
  const { folder, seed, size } = start
  const entries = (await readIndex<ClipEntry>(folder, "samples_tts")).filter(({ kind }) => kind !== "negative")
  const random = makeRandom(seedOf(seed, "augment"))
  await withData(folder, "samples_tts", (read) =>
    writeResult<ClipEntry>(folder, "augment", async ({ add }) => {
      let from = 0
      for (const [index, entry] of entries.entries()) {
        const clip = samplesOf(await read(entry.from * 2, entry.samples * 2))
        const copies =
          entry.part === "train" ? copiesOf(clip, plans[size].variants, random) : [measuredOf(clip, random)]
        for (const copy of copies) {
          await add({ ...entry, from, samples: copy.length }, bytesOf(copy))
          from += copy.length
        }
        if (index % reportEvery === 0) progress(index / entries.length)
      }
    })
  )
}
