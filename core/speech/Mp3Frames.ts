/**
 * Checks the frames of an MP3 file and computes its duration. Pure; decodes nothing. Layer III only, no free format.
 * Source: ISO/IEC 11172-3 §2.4.1.3, ISO/IEC 13818-3 §2.4.2.3; ID3v2.4 §3.1, §6.2.
 */
import { Result } from "effect"

export interface Mp3Facts {
  /** Sample rate of the first frame. Unit: hertz. */
  readonly sampleRate: number
  /** Unit: milliseconds. */
  readonly durationMs: number
}

/** Bitrates by header index, for MPEG-1 and for MPEG-2/2.5. Unit: kbit/s. */
const bitrates1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0]
const bitrates2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0]
/** Sample rates by version bits (0: MPEG-2.5, 1: reserved, 2: MPEG-2, 3: MPEG-1) and header index. Unit: hertz. */
const sampleRates = [[11_025, 12_000, 8_000], [], [22_050, 24_000, 16_000], [44_100, 48_000, 32_000]]

/** Reads the whole file. Skips tags before and after the frames; every frame must be complete. */
export const readMp3 = (bytes: Uint8Array): Result.Result<Mp3Facts, string> => {
  const end = bytes.length >= 128 && text(bytes, bytes.length - 128) === "TAG" ? bytes.length - 128 : bytes.length
  let at = afterTag(bytes)
  let seconds = 0
  let first: number | undefined
  while (at < end) {
    const frame = at + 4 <= end ? frameAt(bytes, at) : undefined
    if (frame === undefined) return Result.fail("it is no MP3 file, or is damaged")
    if (at + frame.length > end) return Result.fail("its last frame is cut")
    first ??= frame.sampleRate
    seconds += frame.samples / frame.sampleRate
    at += frame.length
  }
  return first === undefined
    ? Result.fail("it holds no frames")
    : Result.succeed({ sampleRate: first, durationMs: Math.round(seconds * 1000) })
}

const frameAt = (
  bytes: Uint8Array,
  at: number
): { readonly length: number; readonly samples: number; readonly sampleRate: number } | undefined => {
  const second = bytes[at + 1]!
  const third = bytes[at + 2]!
  if (bytes[at] !== 0xff || (second & 0xe6) !== 0xe2) return undefined
  const version = (second >> 3) & 3
  const sampleRate = sampleRates[version]?.[(third >> 2) & 3]
  const bitrate = (version === 3 ? bitrates1 : bitrates2)[third >> 4]! * 1000
  if (sampleRate === undefined || bitrate === 0) return undefined
  const samples = version === 3 ? 1_152 : 576
  return { length: Math.floor(((samples / 8) * bitrate) / sampleRate) + ((third >> 1) & 1), samples, sampleRate }
}

/** Offset of the first frame, after an ID3v2 tag. The tag's length has seven bits per byte. */
const afterTag = (bytes: Uint8Array): number =>
  bytes.length < 10 || text(bytes, 0) !== "ID3"
    ? 0
    : 10 + bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)

const text = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 3))
