import { closeSync, fstatSync, openSync, readSync } from "node:fs"

export interface Audio {
  /** Length. Unit: milliseconds. */
  readonly ms: number
  /** Sample rate. Unit: samples per second. */
  readonly rate: number
}

/** Length and sample rate of a WAV file; undefined when it is missing or no WAV file. */
export const waveLength = (path: string): Audio | undefined => {
  let file: number
  try {
    file = openSync(path, "r")
  } catch {
    return undefined
  }
  try {
    const head = Buffer.alloc(4_096)
    const read = readSync(file, head, 0, head.length, 0)
    if (head.toString("latin1", 0, 4) !== "RIFF" || head.toString("latin1", 8, 12) !== "WAVE") return undefined
    let rate = 0
    let bytesPerSecond = 0
    for (let at = 12; at + 8 <= read;) {
      const kind = head.toString("latin1", at, at + 4)
      const size = head.readUInt32LE(at + 4)
      if (kind === "fmt ") {
        rate = head.readUInt32LE(at + 12)
        bytesPerSecond = head.readUInt32LE(at + 16)
      }
      // A streamed WAV declares a wrong size, so the file's own size limits it.
      if (kind === "data")
        return bytesPerSecond === 0
          ? undefined
          : { ms: Math.round((Math.min(size, fstatSync(file).size - at - 8) * 1_000) / bytesPerSecond), rate }
      at += 8 + size + (size % 2)
    }
    return undefined
  } finally {
    closeSync(file)
  }
}
