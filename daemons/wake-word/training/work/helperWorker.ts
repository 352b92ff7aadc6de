/** A helper thread of a phase: computes one task after the other. Has the priority of the phase's thread. */
import { Effect } from "effect"
import { flushCompileCache } from "node:module"
import { workerData } from "node:worker_threads"
import type { Extractor } from "#protocols/wake-word/Extractor.ts"
import { clipRows } from "#protocols/wake-word/Features.ts"
import { prepareClip } from "#protocols/wake-word/Prepare.ts"
import { openExtractors, setThreadNiceness } from "../../engine/Exports.ts"
import { speakSeries } from "./Espeak.ts"
import { trainNetwork } from "./Network.ts"
import { problemOf } from "./Problems.ts"
import type { ClipTask, FromHelper, HelperData, ToHelper } from "./Tasks.ts"

const { calls, port, start } = workerData as HelperData
const tell = (message: FromHelper, moved: Array<ArrayBuffer> = []): void => port.postMessage(message, moved)

let extractor: Promise<Extractor> | undefined
const opened = () =>
  (extractor ??= Effect.runPromise(Effect.flatMap(openExtractors(start.source, calls), ({ chosen }) => chosen)))

const copiesOf = ({ before, clip, prepare }: ClipTask): ReadonlyArray<Int16Array> =>
  prepare === undefined
    ? [clip]
    : prepareClip(prepare.of, clip, { ...prepare.options, ...(before === undefined ? {} : { before }) })

const rowsOf = async (task: ClipTask): Promise<ReadonlyArray<Float32Array>> => {
  const rows: Array<Float32Array> = []
  for (const copy of copiesOf(task)) rows.push(await clipRows(await opened(), copy))
  return rows
}

const resultsOf = async ({ kind, task }: ToHelper): Promise<ReadonlyArray<Int16Array | Float32Array>> => {
  switch (kind) {
    case "speak":
      return Effect.runPromise(speakSeries(task.utterances, task.data))
    case "augment":
      return copiesOf(task)
    case "features":
      return rowsOf(task)
    case "train":
      return [await trainNetwork(task, (share) => tell({ kind: "progress", share }))]
  }
}

const answer = async (message: ToHelper): Promise<void> => {
  try {
    const results = await resultsOf(message)
    const moved = results.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []))
    tell({ kind: "done", results }, moved)
  } catch (error) {
    tell({ kind: "failed", problem: problemOf(error) })
  }
}

// The end of the thread does not store what it compiled.
flushCompileCache()
setThreadNiceness(start.niceness)
let last = Promise.resolve()
port.on("message", (message: ToHelper) => void (last = last.then(() => answer(message))))
