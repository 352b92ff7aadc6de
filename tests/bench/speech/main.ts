// Benchmark of speech: a cache hit compared with a bare file check, and the cost of a cache miss.

import { mkdtempSync, rmSync } from "node:fs"
import { readFile, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Result, Scope } from "effect"
import { load } from "#core/config/Settings.ts"
import * as Speech from "#core/speech/Speech.ts"
import { speechSettings } from "#core/speech/SpeechSettings.ts"
import { ensurePeers } from "#support/peers/install.ts"
import { type Figure, figure, median, quantile } from "../Figure.ts"

/** Texts in the cache. Reason: alarms repeat, and the folder must not be empty. */
const texts = 50
/** Measured cache hits, after as many uncounted ones. */
const hits = 2_000
/** Concurrent hits of the loaded figure. Reason: calls and voice messages during an alarm storm. */
const atOnce = 32

const note = (text: string) => process.stderr.write(`${text}\n`)

export const run = async (): Promise<ReadonlyArray<Figure>> => {
  await ensurePeers(["speech"], note)
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"))
  const scope = Effect.runSync(Scope.make())
  const open = () =>
    Effect.runPromise(
      Scope.provide(Speech.make(Result.getOrThrow(load(speechSettings, {})), join(folder, "speech")), scope)
    )
  const say = (speech: Speech.Speech["Service"], index: number) =>
    Effect.runPromise(
      speech.synthesize({
        text: `Alarm ${index % texts}: Brandmelder in Halle zwei, bitte sofort prüfen.`,
        provider: "local_fast",
        format: "wav"
      })
    )
  try {
    note(`${texts} texts by espeak-ng and ffmpeg`)
    const first = await open()
    const misses = await series(texts, (index) => say(first, index))

    note("hits after a restart, each file for the first time")
    const speech = await open()
    const cold = await series(texts, (index) => say(speech, index))

    note("hits and bare looks in turn")
    const { path } = await say(speech, 0)
    const ours: Array<number> = []
    const looks: Array<number> = []
    const reads: Array<number> = []
    for (let index = 0; index < hits * 2; index++) {
      const warm = index < hits
      const keep = async (into: Array<number>, what: () => Promise<unknown>) => {
        const taken = await timed(what)
        if (!warm) into.push(taken)
      }
      await keep(ours, () => say(speech, index))
      await keep(looks, () => stat(path))
      await keep(reads, () => readFile(path))
    }

    note(`hits, ${atOnce} at once`)
    const loaded = (
      await Promise.all(Array.from({ length: atOnce }, () => series(hits / atOnce, (index) => say(speech, index))))
    ).flat()
    return [
      figure("speech cache hit to playable file, p50", median(ours), "ms", { floor: median(looks), target: 10 }),
      figure("speech cache hit to playable file, p99", quantile(ours, 0.99), "ms", { floor: quantile(looks, 0.99) }),
      figure("the same beside reading the file, p50", median(ours), "ms", { floor: median(reads) }),
      figure(`the same, ${atOnce} at once, p50`, median(loaded), "ms", { target: 10 }),
      figure("first hit after a restart, p50", median(cold), "ms", { target: 10 }),
      figure("miss: espeak-ng and ffmpeg, p50", median(misses), "ms")
    ]
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  }
}

const timed = async (what: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await what()
  return performance.now() - begun
}

const series = async (count: number, what: (index: number) => Promise<unknown>): Promise<ReadonlyArray<number>> => {
  const taken: Array<number> = []
  for (let index = 0; index < count; index++) taken.push(await timed(() => what(index)))
  return taken
}
