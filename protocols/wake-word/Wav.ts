/**
 * Audio of an uploaded WAV file as 16 kHz mono Int16. Pure and bounded: never reads beyond the given bytes, whatever
 * lengths the file claims. The npm package wavefile (MIT) reads the same formats, but had no release since 2020 and
 * trusts lengths. Source: Multimedia Programming Interface and Data Specifications 1.0; RFC 2361.
 */
import { Result } from "effect"
import { resample } from "./Resample.ts"
import { sampleRate } from "./Shape.ts"
import { badWav, tooLarge, type WakeWordError } from "./WakeWordError.ts"
import { readWavHeader, type WavHeader } from "./WavHeader.ts"

/** Largest file. Unit: bytes. Reason: 60 s of stereo float 32 at 48 kHz have 23 MB. */
export const maxWavBytes = 24 * 1024 * 1024

export interface WavLimits {
  /** Longest audio. Unit: seconds. */
  readonly seconds: number
}

/**
 * Reads PCM of 8, 16, 24 and 32 bits and float of 32 and 64 bits, with 1 to 8 channels and 4 to 192 kHz. Channels are
 * averaged. A failure states the reason without any part of the file.
 */
export const readWav = (bytes: Uint8Array, limits: WavLimits): Result.Result<Int16Array, WakeWordError> => {
  if (bytes.length > maxWavBytes) return Result.fail(tooLarge("maxWavBytes"))
  return Result.flatMap(readWavHeader(bytes), (header) => {
    const frames = Math.floor(header.dataBytes / header.frameBytes)
    if (frames === 0) return Result.fail(badWav("it has no samples"))
    if (frames > limits.seconds * header.sampleRate)
      return Result.fail(badWav(`it is longer than ${limits.seconds} seconds`))
    const mono = averaged(bytes, header, frames)
    if (mono === undefined) return Result.fail(badWav("one of its samples is no number"))
    return Result.succeed(to16kHz(mono, header.sampleRate))
  })
}

/** Samples of one channel with full scale 1, as Int16 at 16 kHz. */
export const to16kHz = (mono: Float32Array, rate: number): Int16Array => toInt16(resample(mono, rate, sampleRate))

/** Average of the channels, full scale 1. Undefined when a float sample is not finite. */
const averaged = (bytes: Uint8Array, header: WavHeader, frames: number): Float32Array | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const read = readers[`${header.encoding}:${header.bits}`]!
  const width = header.bits / 8
  const mono = new Float32Array(frames)
  // Speech of espeak-ng has this form; the loop below takes ten times as long.
  if (header.channels === 1 && header.encoding === "pcm" && header.bits === 16) {
    for (let frame = 0; frame < frames; frame++)
      mono[frame] = view.getInt16(header.dataOffset + frame * 2, true) / 32_768
    return mono
  }
  for (let frame = 0; frame < frames; frame++) {
    let sum = 0
    for (let channel = 0; channel < header.channels; channel++)
      sum += read(view, header.dataOffset + frame * header.frameBytes + channel * width)
    if (!Number.isFinite(sum)) return undefined
    // Floats above full scale would otherwise overflow the filter.
    mono[frame] = Math.max(-1, Math.min(1, sum / header.channels))
  }
  return mono
}

const readers: Readonly<Record<string, (view: DataView, at: number) => number>> = {
  "pcm:8": (view, at) => (view.getUint8(at) - 128) / 128,
  "pcm:16": (view, at) => view.getInt16(at, true) / 32_768,
  "pcm:24": (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 8_388_608,
  "pcm:32": (view, at) => view.getInt32(at, true) / 2_147_483_648,
  "float:32": (view, at) => view.getFloat32(at, true),
  "float:64": (view, at) => view.getFloat64(at, true)
}

const toInt16 = (samples: Float32Array): Int16Array => {
  const out = new Int16Array(samples.length)
  for (let at = 0; at < out.length; at++)
    out[at] = Math.max(-32_768, Math.min(32_767, Math.round(samples[at]! * 32_768)))
  return out
}
