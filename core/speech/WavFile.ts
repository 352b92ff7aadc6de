/**
 * Reads RIFF/WAVE headers for format and duration, and writes them for raw PCM. Pure; decodes no samples. Never reads
 * beyond the given bytes, whatever lengths the file claims. Source: Multimedia Programming Interface and Data
 * Specifications 1.0; RFC 2361 for the encodings.
 */
import { Result } from "effect"

export interface WavFacts {
  /** Encoding; 1 is PCM. For an extensible header, its inner encoding. */
  readonly encoding: number
  readonly channels: number
  /** Unit: hertz. */
  readonly sampleRate: number
  readonly bitsPerSample: number
  /** Offset of the samples. Unit: bytes. */
  readonly dataOffset: number
  /** Length of the samples present in the file. Unit: bytes. */
  readonly dataBytes: number
  /** Unit: milliseconds. */
  readonly durationMs: number
}

/** Maximum number of chunks read. Reason: writers put only a few before the samples. */
const maxChunks = 64

/**
 * Placeholder lengths of writers that stream to a pipe: 0xffffffff by RFC 2361; the others by ffmpeg, sox and
 * espeak-ng; 0 by further programs.
 */
const streamedLengths = new Set([0xffff_ffff, 0x7fff_f000, 0x7fff_ffff, 0x7fff_ffdb, 0])

/**
 * Reads the header. `fileBytes`: length of the whole file when `bytes` is only its beginning. A failure describes the
 * fault.
 */
export const readWav = (bytes: Uint8Array, fileBytes = bytes.length): Result.Result<WavFacts, string> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (tag(bytes, 0) !== "RIFF" || tag(bytes, 8) !== "WAVE") return Result.fail("it is no RIFF/WAVE file")
  let format: Omit<WavFacts, "dataOffset" | "dataBytes" | "durationMs"> | undefined
  let at = 12
  for (let chunk = 0; chunk < maxChunks && at + 8 <= bytes.length; chunk++) {
    const name = tag(bytes, at)
    const length = view.getUint32(at + 4, true)
    const body = at + 8
    if (name === "fmt ") {
      if (length < 16 || body + 16 > bytes.length) return Result.fail("its format chunk is cut")
      const outer = view.getUint16(body, true)
      const extensible = outer === 0xfffe && length >= 26 && body + 26 <= bytes.length
      format = {
        encoding: extensible ? view.getUint16(body + 24, true) : outer,
        channels: view.getUint16(body + 2, true),
        sampleRate: view.getUint32(body + 4, true),
        bitsPerSample: view.getUint16(body + 14, true)
      }
    }
    if (name === "data")
      return format === undefined
        ? Result.fail("its samples come before their format")
        : measured(format, body, length, fileBytes)
    at = body + length + (length % 2)
  }
  return Result.fail("it has no samples")
}

const measured = (
  format: Omit<WavFacts, "dataOffset" | "dataBytes" | "durationMs">,
  dataOffset: number,
  declared: number,
  fileBytes: number
): Result.Result<WavFacts, string> => {
  const { bitsPerSample, channels, sampleRate } = format
  if (channels < 1 || channels > 8) return Result.fail(`it has ${channels} channels`)
  if (sampleRate < 4_000 || sampleRate > 192_000) return Result.fail(`its sample rate is ${sampleRate} Hz`)
  if (![8, 16, 24, 32].includes(bitsPerSample)) return Result.fail(`its samples have ${bitsPerSample} bits`)
  const there = Math.max(0, fileBytes - dataOffset)
  if (declared > there && !streamedLengths.has(declared))
    return Result.fail(`${declared - there} bytes of its samples are missing`)
  const block = (channels * bitsPerSample) / 8
  const known = streamedLengths.has(declared) ? there : declared
  const dataBytes = known - (known % block)
  return Result.succeed({
    ...format,
    dataOffset,
    dataBytes,
    durationMs: Math.round((dataBytes / block / sampleRate) * 1000)
  })
}

const tag = (bytes: Uint8Array, at: number): string =>
  at + 4 > bytes.length ? "" : String.fromCharCode(...bytes.subarray(at, at + 4))

/** Creates a WAV file from 16-bit little-endian PCM samples. */
export const writeWav = (samples: Uint8Array, sampleRate: number, channels = 1): Buffer => {
  const head = Buffer.alloc(44)
  head.write("RIFF", 0, "latin1")
  head.writeUInt32LE(36 + samples.length, 4)
  head.write("WAVEfmt ", 8, "latin1")
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(sampleRate, 24)
  head.writeUInt32LE(sampleRate * channels * 2, 28)
  head.writeUInt16LE(channels * 2, 32)
  head.writeUInt16LE(16, 34)
  head.write("data", 36, "latin1")
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}
