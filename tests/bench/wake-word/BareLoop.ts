/**
 * Baseline: the mel frames and both networks on full batches in a loop, without streams and network connections. Each
 * message asks for the processor time of a number of batches.
 */
import type { HeadWeights } from "#protocols/wake-word/Head.ts"
import { contextSamples, headInputs, stepSamples, windowValues } from "#protocols/wake-word/Shape.ts"
import { headOf, openEngine, sounds } from "../../protocols/wake-word/Engine.ts"

export interface BareOrder {
  readonly weights: HeadWeights
  readonly batches: number
  /** Steps of a batch. */
  readonly batch: number
}

/** Processor time of one step. Unit: seconds. */
export interface BareAnswer {
  readonly all: number
  /** Without the mel frames, which are computed in TypeScript. */
  readonly networks: number
}

const engine = openEngine()

process.on("message", (order: BareOrder) => {
  void run(order).then((answer) => process.send!(answer))
})
process.on("disconnect", () => process.exit(0))

const run = async ({ batch, batches, weights }: BareOrder): Promise<BareAnswer> => {
  const { extractor } = await engine
  const head = await headOf(await engine, weights)
  const size = contextSamples + stepSamples
  const samples = sounds((batch * size) / 16_000, 9).subarray(0, batch * size)
  const windows = Float32Array.from({ length: batch * windowValues }, (_, at) => Math.sin(at))
  const inputs = Float32Array.from({ length: batch * headInputs }, (_, at) => Math.cos(at))
  const networks = async () => {
    await extractor.embed(windows, batch)
    await head.score(inputs, batch)
  }
  const measured = async (work: () => Promise<unknown>) => {
    for (let warm = 0; warm < batches / 4; warm++) await work()
    const { system, user } = process.cpuUsage()
    for (let count = 0; count < batches; count++) await work()
    const used = process.cpuUsage()
    return (used.user - user + used.system - system) / 1e6 / (batches * batch)
  }
  const answer = {
    all: await measured(async () => {
      await extractor.mel(samples, batch)
      await networks()
    }),
    networks: await measured(networks)
  }
  await head.close()
  return answer
}
