/** Header of a RIFF/WAVE file. Pure; strict, because the file comes from a stranger. Source: RFC 2361. */
import { Result } from "effect"
import { badWav, type WakeWordError } from "./WakeWordError.ts"

export interface WavHeader {
  readonly encoding: "pcm" | "float"
  readonly bits: number
  readonly channels: number
  /** Unit: hertz. */
  readonly sampleRate: number
  /** Bytes of one sample of all channels. */
  readonly frameBytes: number
  readonly dataOffset: number
  /** Bytes of samples that the file contains. */
  readonly dataBytes: number
}

/** Maximum number of chunks that are read. Reason: programs write only a few before the samples. */
const maxChunks = 64

/**
 * Lengths that writers to a pipe put into the header: 0xffffffff by RFC 2361; the others by ffmpeg, sox and espeak-ng;
 * 0 by further programs. The samples then go to the end of the file.
 */
const streamedLengths = new Set([0xffff_ffff, 0x7fff_f000, 0x7fff_ffff, 0x7fff_ffdb, 0])

/** Encodings by format tag. Source: RFC 2361, appendix A. */
const encodings: Readonly<Record<number, WavHeader["encoding"]>> = { 1: "pcm", 3: "float" }

const widths: Readonly<Record<WavHeader["encoding"], ReadonlyArray<number>>> = { pcm: [8, 16, 24, 32], float: [32, 64] }

/** Format tag of an extensible header, whose encoding is in its sub-format. */
const extensible = 0xfffe

/** The sub-format after its first two bytes, as hexadecimal text. Source: ksmedia.h, KSDATAFORMAT_SUBTYPE. */
const subFormatTail = "000000001000800000aa00389b71"

export const readWavHeader = (bytes: Uint8Array): Result.Result<WavHeader, WakeWordError> => {
  if (tag(bytes, 0) !== "RIFF" || tag(bytes, 8) !== "WAVE") return Result.fail(badWav("it is no RIFF/WAVE file"))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let format: Format | undefined
  let at = 12
  for (let chunk = 0; chunk < maxChunks && at + 8 <= bytes.length; chunk++) {
    const name = tag(bytes, at)
    const length = view.getUint32(at + 4, true)
    const body = at + 8
    if (name === "fmt ") {
      const read = readFormat(bytes, view, body, length)
      if (Result.isFailure(read)) return Result.fail(read.failure)
      format = read.success
    }
    if (name === "data") {
      if (format === undefined) return Result.fail(badWav("its samples come before their format"))
      const present = bytes.length - body
      if (length > present && !streamedLengths.has(length))
        return Result.fail(badWav("a part of its samples is missing"))
      const dataBytes = streamedLengths.has(length) ? present : length
      return Result.succeed({ ...format, dataOffset: body, dataBytes })
    }
    at = body + length + (length % 2)
  }
  return Result.fail(badWav("it has no samples"))
}

type Format = Omit<WavHeader, "dataOffset" | "dataBytes">

const readFormat = (
  bytes: Uint8Array,
  view: DataView,
  body: number,
  length: number
): Result.Result<Format, WakeWordError> => {
  if (length < 16 || body + length > bytes.length) return Result.fail(badWav("its format chunk is cut"))
  const outer = view.getUint16(body, true)
  if (outer === extensible && (length < 40 || hex(bytes, body + 26, 14) !== subFormatTail))
    return Result.fail(badWav("its sub-format is unknown"))
  const encoding = encodings[outer === extensible ? view.getUint16(body + 24, true) : outer]
  if (encoding === undefined) return Result.fail(badWav("its encoding is neither PCM nor float"))
  const channels = view.getUint16(body + 2, true)
  const sampleRate = view.getUint32(body + 4, true)
  const bits = view.getUint16(body + 14, true)
  if (channels < 1 || channels > 8) return Result.fail(badWav("it does not have 1 to 8 channels"))
  if (sampleRate < 4_000 || sampleRate > 192_000)
    return Result.fail(badWav("its sample rate is not between 4 and 192 kHz"))
  if (!widths[encoding].includes(bits)) return Result.fail(badWav(`its samples have an unknown number of bits`))
  const frameBytes = (channels * bits) / 8
  if (view.getUint16(body + 12, true) !== frameBytes)
    return Result.fail(badWav("its block size does not fit its channels and bits"))
  return Result.succeed({ encoding, bits, channels, sampleRate, frameBytes })
}

const tag = (bytes: Uint8Array, at: number): string =>
  at + 4 > bytes.length ? "" : String.fromCharCode(...bytes.subarray(at, at + 4))

const hex = (bytes: Uint8Array, at: number, length: number): string =>
  Array.from(bytes.subarray(at, at + length), (byte) => byte.toString(16).padStart(2, "0")).join("")
