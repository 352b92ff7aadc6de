/**
 * The camt parser alone, reading a file from disk, against bare saxes over the same bytes: saxes with its handlers of
 * tags and texts empty. Both take the same blocks.
 */
import { Result } from "effect"
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SaxesParser } from "saxes"
import { camtParser } from "#protocols/bank-formats/Camt.ts"
import { type Figure, figure, median } from "../Figure.ts"
import { writeCamtFile } from "./CamtFile.ts"

/** Size of the large file. Unit: MB. `SIGNALBOX_BENCH_CAMT` changes it. */
const megabytes = Number(
  process.env["SIGNALBOX_BENCH_CAMT"] ?? (process.env["SIGNALBOX_BENCH_QUICK"] === "1" ? 100 : 1_000)
)

/** Size of the file of the rounds that are compared. Unit: MB. */
const comparedMegabytes = 30

/** Rounds of each side, in turn, of which the median counts. Reason: other work of the machine hits both. */
const rounds = 5

/** Bytes read at once. Source: highWaterMark of Node's file streams. */
const block = 65_536

/** Blocks between two looks at the memory. */
const lookEvery = 64

const blocks = (path: string, take: (bytes: Buffer) => void): void => {
  const file = openSync(path, "r")
  const buffer = Buffer.alloc(block)
  for (let length = readSync(file, buffer); length > 0; length = readSync(file, buffer))
    take(buffer.subarray(0, length))
  closeSync(file)
}

const bare = (path: string): void => {
  const parser = new SaxesParser({ position: false, xmlns: false as const })
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let events = 0
  const count = () => void events++
  parser.on("opentag", count)
  parser.on("text", count)
  parser.on("closetag", count)
  blocks(path, (bytes) => void parser.write(decoder.decode(bytes, { stream: true })))
  parser.close()
}

const ours = (path: string, look: () => void = () => {}): number => {
  const parser = camtParser()
  let entries = 0
  let read = 0
  blocks(path, (bytes) => {
    for (const event of Result.getOrThrow(parser.write(bytes))) if (event._tag === "Entry") entries++
    if (++read % lookEvery === 0) look()
  })
  Result.getOrThrow(parser.close())
  return entries
}

/** Processor time of a call. Unit: seconds. Reason: other processes share the cores. */
const timed = (work: () => unknown): number => {
  const before = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(before)
  return (user + system) / 1e6
}

export const camtFigures = (): ReadonlyArray<Figure> => {
  const idle = process.memoryUsage.rss()
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"))
  try {
    const small = join(folder, "small.xml")
    writeCamtFile(small, comparedMegabytes * 1e6)
    const size = statSync(small).size / 1e6
    const speeds: Array<readonly [ours: number, bare: number]> = []
    for (let round = 0; round <= rounds; round++) {
      const floor = size / timed(() => bare(small))
      const speed = size / timed(() => ours(small))
      if (round > 0) speeds.push([speed, floor])
    }
    const path = join(folder, "large.xml")
    const bookings = writeCamtFile(path, megabytes * 1e6)
    let most = idle
    const entries = ours(path, () => {
      most = Math.max(most, process.memoryUsage.rss())
    })
    if (entries !== bookings) throw new Error(`${entries} entries of ${bookings}`)
    const ratio = median(speeds.map(([mine, floor]) => mine / floor))
    const read = Math.round(statSync(path).size / 1e6)
    return [
      figure("camt parser, from disk", median(speeds.map(([mine]) => mine)), "MB/s", {
        floor: median(speeds.map(([, floor]) => floor)),
        better: "more"
      }),
      figure("ratio of that to bare saxes", ratio, "", { target: 0.5, better: "more" }),
      figure(`memory above idle while reading ${read} MB of camt`, (most - idle) / 1e6, "MB", { target: 150 })
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}
