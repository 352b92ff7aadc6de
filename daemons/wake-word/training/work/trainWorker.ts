/** The thread of one phase. Has a low priority, so that listening keeps its time. */
import { mkdir } from "node:fs/promises"
import { flushCompileCache } from "node:module"
import { parentPort, workerData } from "node:worker_threads"
import { setThreadNiceness } from "../../engine/Exports.ts"
import type { Phase } from "../Phases.ts"
import { MissingResult } from "./Artefacts.ts"
import { augmentPhase } from "./AugmentPhase.ts"
import { featurePhase } from "./FeaturePhase.ts"
import { helpersOf } from "./Helpers.ts"
import type { FromPhase, PhaseData, PhaseResult } from "./Messages.ts"
import type { PhaseContext } from "./PhaseContext.ts"
import { problemOf } from "./Problems.ts"
import { savePhase } from "./SavePhase.ts"
import { speakPhase } from "./SpeakPhase.ts"
import { trainPhase } from "./TrainPhase.ts"
import { validatePhase } from "./ValidatePhase.ts"

const { calls, helpers, start } = workerData as PhaseData
const tell = (message: FromPhase): void => parentPort?.postMessage(message)

const work: Readonly<Record<Phase, (context: PhaseContext) => Promise<PhaseResult | void>>> = {
  samples_tts: speakPhase,
  // The process chooses the recordings; there is nothing to compute.
  samples_upload: () => Promise.resolve(),
  augment: augmentPhase,
  features: featurePhase,
  train: trainPhase,
  validate: validatePhase,
  save: savePhase
}

/** Smallest step of the progress that is told. */
const step = 0.005
let told = 0

// The end of the thread does not store what it compiled.
flushCompileCache()
setThreadNiceness(start.niceness)
try {
  await mkdir(start.folder, { recursive: true, mode: 0o700 })
  const result = await work[start.phase]({
    start,
    calls,
    helpers: helpersOf(helpers),
    progress: (share) => {
      if (share < told + step) return
      told = share
      tell({ kind: "progress", share: Math.min(1, share) })
    }
  })
  tell({ kind: "done", result: result ?? {} })
} catch (error) {
  tell({ kind: "failed", problem: problemOf(error), missing: error instanceof MissingResult ? error.phase : undefined })
}
