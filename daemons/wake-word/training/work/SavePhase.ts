/** Phase 7, `save`: the file of the model. The process stores it, with the measurements, in one transaction. */
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { writeHead } from "#protocols/wake-word/HeadModel.ts"
import { defaultThreshold } from "#protocols/wake-word/Shape.ts"
import { openExtractors } from "../../engine/Exports.ts"
import type { PhaseResult } from "./Messages.ts"
import type { PhaseContext } from "./PhaseContext.ts"
import { storedWeights } from "./Weights.ts"

export const savePhase = async ({ calls, progress, start }: PhaseContext): Promise<PhaseResult> => {
  const { folder, language, report, source, word } = start
  const threshold = report.threshold ?? defaultThreshold
  const extractor = report.extractor ?? ""
  const file = writeHead(await storedWeights(folder), { word, language, extractor, threshold })
  progress(0.5)
  // A file that the runtime refuses must not become a model.
  await Effect.runPromise(
    Effect.flatMap(openExtractors(source, calls), ({ load }) =>
      Effect.flatMap(load(file), ({ head }) => Effect.promise(() => head.close()))
    )
  )
  return { model: { file, sha256: createHash("sha256").update(file).digest("hex"), extractor, threshold } }
}
