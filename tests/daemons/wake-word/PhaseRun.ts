/** Runs phases of a training in their threads, without a daemon. */
import { Effect } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Phase, phases, type Size } from "#daemons/wake-word/training/Phases.ts"
import type { Report } from "#daemons/wake-word/training/Store.ts"
import type { PhaseStart } from "#daemons/wake-word/training/work/Messages.ts"
import { runPhase } from "#daemons/wake-word/training/work/PhaseThread.ts"

/** A phase of a training without recordings. */
export const startOf = (
  phase: Phase,
  folder: string,
  training: { readonly word: string; readonly language: string; readonly seed: number; readonly size: Size },
  report: Report = {}
): PhaseStart => ({
  ...training,
  phase,
  folder,
  report,
  source: { chosen: "own", files: undefined },
  niceness: 0,
  recordings: [],
  recordingRows: [],
  gatewayWavs: []
})

export const withFolder = async <A>(use: (folder: string) => Promise<A>): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), "phases-"))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Runs all phases of a training. Returns the measurements, and the seconds that each phase took. */
export const runTraining = (training: Parameters<typeof startOf>[2]) =>
  withFolder(async (folder) => {
    let report: Report = {}
    const seconds: Array<readonly [Phase, number]> = []
    for (const phase of phases.filter((each) => each !== "samples_upload")) {
      const begun = performance.now()
      const result = await Effect.runPromise(runPhase(startOf(phase, folder, training, report), () => undefined))
      report = { ...report, ...result.report }
      seconds.push([phase, (performance.now() - begun) / 1_000])
    }
    return { report, seconds }
  })
