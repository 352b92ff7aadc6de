/** Phase 4, `features`: embeddings of 96 values for every 80 ms of all clips. */
import { Effect } from "effect"
import { augment } from "#protocols/wake-word/Augment.ts"
import type { Extractor } from "#protocols/wake-word/Extractor.ts"
import { clipRows } from "#protocols/wake-word/Features.ts"
import { makeRandom, seedOf } from "#protocols/wake-word/Random.ts"
import { embeddingSize } from "#protocols/wake-word/Shape.ts"
import { openExtractors } from "../../engine/Exports.ts"
import type { Phase } from "../Phases.ts"
import { readIndex, withData, writeResult } from "./Artefacts.ts"
import { copiesOf, measuredOf } from "./AugmentPhase.ts"
import { bytesOf, type ClipEntry, type RowsEntry, samplesOf } from "./Entries.ts"
import type { PhaseResult, PhaseStart } from "./Messages.ts"
import type { PhaseContext } from "./PhaseContext.ts"
import { plans } from "./Sizes.ts"

export const featurePhase = async ({ progress, start }: PhaseContext): Promise<PhaseResult> => {
  const { folder, seed, source } = start
  const extractor = await Effect.runPromise(Effect.flatMap(openExtractors(source), ({ chosen }) => chosen))
  const placed = await readIndex<ClipEntry>(folder, "augment")
  const others = (await readIndex<ClipEntry>(folder, "samples_tts")).filter(({ kind }) => kind === "negative")
  const total = [...placed, ...others].reduce((sum, { samples }) => sum + samples, 0)
  const random = makeRandom(seedOf(seed, "negatives"))
  await writeResult<RowsEntry>(folder, "features", async ({ add }) => {
    let from = 0
    let done = 0
    const put = (
      phase: Phase,
      entries: ReadonlyArray<ClipEntry>,
      changed: (clip: Int16Array, entry: ClipEntry) => Int16Array
    ) =>
      withData(folder, phase, async (read) => {
        for (const entry of entries) {
          const clip = samplesOf(await read(entry.from * 2, entry.samples * 2))
          const rows = await clipRows(extractor, changed(clip, entry))
          const { kind, part, voice } = entry
          await add({ kind, part, voice, from, rows: rows.length / embeddingSize }, bytesOf(rows))
          from += rows.length / embeddingSize
          done += entry.samples
          progress(done / total)
        }
      })
    await put("augment", placed, (clip) => clip)
    await put("samples_tts", others, (clip, { part }) => (part === "train" ? augment(clip, random) : clip))
  })
  return { report: { extractor: extractor.id }, rows: await recordingRows(extractor, start) }
}

/** Rows of the recordings: of all copies of one for training, of one measured copy otherwise. */
const recordingRows = async (extractor: Extractor, { recordings, seed, size }: PhaseStart) => {
  const found: Array<{ readonly id: number; readonly features: Uint8Array }> = []
  for (const { audio, held_out, id } of recordings) {
    const random = makeRandom(seedOf(seed, `recording ${id}`))
    const clip = samplesOf(audio)
    const copies = held_out ? [measuredOf(clip, random)] : copiesOf(clip, plans[size].variants, random)
    const rows: Array<Uint8Array> = []
    for (const copy of copies) rows.push(bytesOf(await clipRows(extractor, copy)))
    found.push({ id, features: Buffer.concat(rows) })
  }
  return found
}
