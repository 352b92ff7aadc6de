/** A program that ends the phase `features` while its threads use the ONNX runtime. Argument: number of ends. */
import { Effect, Fiber } from "effect"
import { setTimeout } from "node:timers/promises"
import { writeResult } from "#daemons/wake-word/training/work/Artefacts.ts"
import { bytesOf, type ClipEntry } from "#daemons/wake-word/training/work/Entries.ts"
import { runPhase } from "#daemons/wake-word/training/work/PhaseThread.ts"
import { startOf, withFolder } from "./PhaseRun.ts"

/** Clips of 2 s. Reason: their embeddings take longer than the start of the threads. */
const clips = 1_000
const samples = 32_000

await withFolder(async (folder) => {
  await writeResult<ClipEntry>(folder, "samples_tts", () => Promise.resolve())
  await writeResult<ClipEntry>(folder, "augment", async ({ add }) => {
    const silence = bytesOf(new Int16Array(samples))
    for (let clip = 0; clip < clips; clip++)
      await add({ kind: "positive", part: "train", voice: "de", from: clip * samples, samples }, silence)
  })
  const start = startOf("features", folder, { word: "computer", language: "de", seed: 1, size: "small" })
  // The first phase is ended when it computes. The time that this took is the range of the other ends, at random.
  let computes = 0
  for (let left = Number(process.argv[2]); left > 0; left--) {
    const begun = performance.now()
    const working = Promise.withResolvers<void>()
    const phase = Effect.runFork(runPhase(start, () => working.resolve()))
    if (computes > 0) await setTimeout(Math.random() * 1.3 * computes)
    else {
      await working.promise
      computes = performance.now() - begun
    }
    await Effect.runPromise(Fiber.interrupt(phase))
  }
})
process.stdout.write("all phases ended\n")
