/** Phase 4, `features`: embeddings of 96 values for every 80 ms of all clips. */
import { Effect } from "effect"
import type { Extractor } from "#protocols/wake-word/Extractor.ts"
import { clipRows } from "#protocols/wake-word/Features.ts"
import { prepareClip, recordingCopies } from "#protocols/wake-word/Prepare.ts"
import { seedOf } from "#protocols/wake-word/Random.ts"
import { embeddingSize } from "#protocols/wake-word/Shape.ts"
import { openExtractors } from "../../engine/Exports.ts"
import type { Phase } from "../Phases.ts"
import { readIndex, withData, writeResult } from "./Artefacts.ts"
import { bytesOf, type ClipEntry, type RowsEntry, samplesOf } from "./Entries.ts"
import type { PhaseResult, PhaseStart } from "./Messages.ts"
import type { PhaseContext } from "./PhaseContext.ts"

export const featurePhase = async ({ calls, progress, start }: PhaseContext): Promise<PhaseResult> => {
  const { folder, seed, source } = start
  const extractor = await Effect.runPromise(Effect.flatMap(openExtractors(source, calls), ({ chosen }) => chosen))
  const placed = await readIndex<ClipEntry>(folder, "augment")
  const others = (await readIndex<ClipEntry>(folder, "samples_tts")).filter(({ kind }) => kind === "negative")
  const total = [...placed, ...others].reduce((sum, { samples }) => sum + samples, 0)
  await writeResult<RowsEntry>(folder, "features", async ({ add }) => {
    let from = 0
    let done = 0
    const put = (
      phase: Phase,
      entries: ReadonlyArray<ClipEntry>,
      prepared: (clip: Int16Array, entry: ClipEntry, index: number) => ReadonlyArray<Int16Array>
    ) =>
      withData(folder, phase, async (read) => {
        for (const [index, entry] of entries.entries()) {
          const clip = samplesOf(await read(entry.from * 2, entry.samples * 2))
          for (const copy of prepared(clip, entry, index)) {
            const rows = await clipRows(extractor, copy)
            const { kind, part, voice } = entry
            await add({ kind, part, voice, from, rows: rows.length / embeddingSize }, bytesOf(rows))
            from += rows.length / embeddingSize
          }
          done += entry.samples
          progress(done / total)
        }
      })
    await put("augment", placed, (clip) => [clip])
    const negatives = seedOf(seed, "negatives")
    await put("samples_tts", others, (clip, entry, index) => prepareClip(entry, clip, { seed: negatives, index }))
  })
  return { report: { extractor: extractor.id }, rows: await recordingRows(extractor, start) }
}

/** Rows of the recordings: several copies of one for training, one copy of a held-out one. */
const recordingRows = async (extractor: Extractor, { recordings, seed }: PhaseStart) => {
  const found: Array<{ readonly id: number; readonly features: Uint8Array }> = []
  for (const { audio, held_out, id } of recordings) {
    const part = held_out ? "heldOut" : "train"
    const copies = prepareClip({ kind: "positive", part }, samplesOf(audio), {
      seed: seedOf(seed, "recordings"),
      index: id,
      count: recordingCopies
    })
    const rows: Array<Uint8Array> = []
    for (const copy of copies) rows.push(bytesOf(await clipRows(extractor, copy)))
    found.push({ id, features: Buffer.concat(rows) })
  }
  return found
}
