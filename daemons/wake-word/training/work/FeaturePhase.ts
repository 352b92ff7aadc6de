/** Phase 4, `features`: embeddings of 96 values for every 80 ms of all clips. */
import { Effect } from "effect"
import { recordingCopies } from "#protocols/wake-word/Prepare.ts"
import { seedOf } from "#protocols/wake-word/Random.ts"
import { embeddingSize } from "#protocols/wake-word/Shape.ts"
import { openExtractors } from "../../engine/Exports.ts"
import type { Phase } from "../Phases.ts"
import { readIndex, withData, writeResult } from "./Artefacts.ts"
import { bytesOf, type ClipEntry, type RowsEntry, samplesOf } from "./Entries.ts"
import type { PhaseResult } from "./Messages.ts"
import type { PhaseContext } from "./PhaseContext.ts"
import type { ClipTask } from "./Tasks.ts"

export const featurePhase = async (context: PhaseContext): Promise<PhaseResult> => {
  const { calls, helpers, progress, start } = context
  const { folder, seed, source } = start
  const { id } = await Effect.runPromise(Effect.flatMap(openExtractors(source, calls), ({ chosen }) => chosen))
  const placed = await readIndex<ClipEntry>(folder, "augment")
  const others = (await readIndex<ClipEntry>(folder, "samples_tts")).filter(({ kind }) => kind === "negative")
  const total = [...placed, ...others].reduce((sum, { samples }) => sum + samples, 0)
  await writeResult<RowsEntry>(folder, "features", async ({ add }) => {
    let from = 0
    let done = 0
    const put = (
      phase: Phase,
      entries: ReadonlyArray<ClipEntry>,
      prepare: (entry: ClipEntry, index: number) => Pick<ClipTask, "prepare">
    ) =>
      withData(folder, phase, (read) =>
        helpers.inOrder(
          entries,
          async (entry, index) => {
            const clip = samplesOf(await read(entry.from * 2, entry.samples * 2))
            return helpers.run("features", { clip, ...prepare(entry, index) })
          },
          async (copies, { kind, part, samples, voice }) => {
            for (const rows of copies) {
              await add({ kind, part, voice, from, rows: rows.length / embeddingSize }, bytesOf(rows))
              from += rows.length / embeddingSize
            }
            done += samples
            progress(done / total)
          }
        )
      )
    await put("augment", placed, () => ({}))
    const negatives = seedOf(seed, "negatives")
    await put("samples_tts", others, ({ kind, part }, index) => ({
      prepare: { of: { kind, part }, options: { seed: negatives, index } }
    }))
  })
  return { report: { extractor: id }, rows: await recordingRows(context) }
}

/** Rows of the recordings: several copies of one for training, one copy of a held-out one. */
const recordingRows = async ({ helpers, start: { recordings, seed } }: PhaseContext) => {
  const found: Array<{ readonly id: number; readonly features: Uint8Array }> = []
  const options = { seed: seedOf(seed, "recordings"), count: recordingCopies }
  await helpers.inOrder(
    recordings,
    ({ audio, held_out, id }) =>
      helpers.run("features", {
        clip: samplesOf(audio),
        prepare: { of: { kind: "positive", part: held_out ? "heldOut" : "train" }, options: { ...options, index: id } }
      }),
    async (copies, { id }) => void found.push({ id, features: Buffer.concat(copies.map(bytesOf)) })
  )
  return found
}
