/**
 * Phase 3, `augment`: copies of the utterances of the word and of near phrases, as a microphone in a room hears them.
 * Other speech is augmented while its features are computed, and recordings of people too: no copy of them is stored.
 */
import { prepareClip } from "#protocols/wake-word/Prepare.ts"
import { readIndex, withData, writeResult } from "./Artefacts.ts"
import { bytesOf, type ClipEntry, samplesOf } from "./Entries.ts"
import type { PhaseContext } from "./PhaseContext.ts"

/** Utterances between two reports. */
const reportEvery = 32

export const augmentPhase = async ({ progress, start }: PhaseContext): Promise<void> => {
  const { folder, seed } = start
  const spoken = await readIndex<ClipEntry>(folder, "samples_tts")
  const entries = spoken.filter(({ kind }) => kind !== "negative")
  await withData(folder, "samples_tts", (read) =>
    writeResult<ClipEntry>(folder, "augment", async ({ add }) => {
      const clipOf = async ({ from, samples }: ClipEntry) => samplesOf(await read(from * 2, samples * 2))
      let from = 0
      for (const [index, entry] of entries.entries()) {
        const others = spoken.filter(({ kind, part }) => kind === "negative" && part === entry.part)
        const before = others[index % others.length]
        const copies = prepareClip(entry, await clipOf(entry), {
          seed,
          index,
          ...(before === undefined ? {} : { before: await clipOf(before) })
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
