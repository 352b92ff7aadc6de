import fc from "fast-check"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { maxWavBytes, readWav } from "#protocols/wake-word/Wav.ts"
import { riff, sine, wavFile, type WavKind } from "./WavFiles.ts"

const limits = { seconds: 3 }
const read = (bytes: Uint8Array) => Result.getOrThrow(readWav(bytes, limits))
const why = (bytes: Uint8Array) => {
  const result = readWav(bytes, limits)
  return Result.isFailure(result) ? result.failure.message : "accepted"
}

/** Level of a frequency in the middle of the clip. Unit: dB relative to full scale. */
const level = (samples: Int16Array, hertz: number, rate = 16_000) => {
  const part = samples.subarray(samples.length >> 2, (samples.length >> 2) + (samples.length >> 1))
  let [re, im, weights] = [0, 0, 0]
  part.forEach((sample, at) => {
    const weight = 1 - Math.cos((2 * Math.PI * at) / part.length)
    re += weight * sample * Math.cos((2 * Math.PI * hertz * at) / rate)
    im += weight * sample * Math.sin((2 * Math.PI * hertz * at) / rate)
    weights += weight
  })
  return 20 * Math.log10((2 * Math.hypot(re, im)) / weights / 32_768)
}

const pcm16: WavKind = { encoding: "pcm", bits: 16, channels: 1, rate: 16_000 }

describe("readWav", () => {
  it("returns the samples of 16 bits, 16 kHz, mono unchanged", () => {
    const samples = Int16Array.from({ length: 1_000 }, (_, at) => ((at * 7_919) % 65_536) - 32_768)
    expect(read(wavFile(pcm16, [Float64Array.from(samples, (sample) => sample / 32_768)]))).toEqual(samples)
  })

  it.each([
    [{ encoding: "pcm", bits: 8, channels: 1, rate: 8_000 }],
    [{ encoding: "pcm", bits: 16, channels: 2, rate: 44_100 }],
    [{ encoding: "pcm", bits: 24, channels: 2, rate: 48_000, extensible: true }],
    [{ encoding: "pcm", bits: 32, channels: 1, rate: 22_050 }],
    [{ encoding: "float", bits: 32, channels: 6, rate: 96_000 }],
    [{ encoding: "float", bits: 64, channels: 1, rate: 11_025, extensible: true }],
    [{ encoding: "pcm", bits: 16, channels: 1, rate: 15_999 }]
  ] as ReadonlyArray<[WavKind]>)("keeps level, pitch and length of %o", (kind) => {
    const tone = sine(1_000, kind.rate, 1)
    const samples = read(
      wavFile(
        kind,
        Array.from({ length: kind.channels }, () => tone)
      )
    )
    expect(Math.abs(samples.length - 16_000)).toBeLessThanOrEqual(1)
    expect(level(samples, 1_000)).toBeCloseTo(20 * Math.log10(0.5), 1)
  })

  it("averages the channels", () => {
    const tone = sine(1_000, 16_000, 0.5)
    const opposite = tone.map((sample) => -sample)
    expect(read(wavFile({ ...pcm16, channels: 2 }, [tone, opposite])).every((sample) => Math.abs(sample) <= 1)).toBe(
      true
    )
  })

  it("removes what half of the new rate cannot have, 70 dB down, and keeps the rest", () => {
    const [stopped, kept] = [9_000, 6_500].map((hertz) =>
      read(wavFile({ ...pcm16, rate: 48_000 }, [sine(hertz, 48_000, 1)]))
    )
    // 9 kHz would come back as 7 kHz.
    expect(level(stopped!, 7_000)).toBeLessThan(-76)
    expect(level(kept!, 6_500)).toBeCloseTo(20 * Math.log10(0.5), 1)
  })

  it("takes streamed lengths to the end of the file", () => {
    const file = wavFile(pcm16, [sine(500, 16_000, 0.1)])
    file.writeUInt32LE(0xffff_ffff, file.indexOf("data") + 4)
    expect(read(file).length).toBe(1_600)
  })

  it("refuses with the reason", () => {
    const good = wavFile(pcm16, [sine(500, 16_000, 0.1)])
    const at = (offset: number, value: number) => {
      const file = Buffer.from(good)
      file.writeUInt16LE(value, offset)
      return file
    }
    expect(why(Buffer.from("ID3 is no wave file"))).toContain("no RIFF/WAVE")
    expect(why(good.subarray(0, 30))).toContain("format chunk is cut")
    expect(why(good.subarray(0, 400))).toContain("part of its samples is missing")
    expect(why(at(20, 6))).toContain("neither PCM nor float")
    expect(why(at(22, 0))).toContain("1 to 8 channels")
    expect(why(at(24, 0))).toContain("sample rate")
    expect(why(at(32, 8))).toContain("block size")
    expect(why(at(34, 12))).toContain("number of bits")
    expect(why(wavFile(pcm16, [[]]))).toContain("no samples")
    expect(why(riff([["data", Buffer.alloc(10)]]))).toContain("before their format")
    const longest = Array.from({ length: limits.seconds * 16_000 }, () => 0)
    expect(why(wavFile(pcm16, [longest]))).toBe("accepted")
    expect(why(wavFile(pcm16, [[...longest, 0]]))).toContain("longer than 3 seconds")
    expect(why(Buffer.alloc(maxWavBytes + 1))).toContain("maxWavBytes")
    expect(why(wavFile({ ...pcm16, encoding: "float", bits: 32 }, [[0, Number.NaN]]))).toContain("no number")
    expect(why(wavFile({ ...pcm16, encoding: "float", bits: 64 }, [[Number.POSITIVE_INFINITY]]))).toContain("no number")
    expect(why(riff(Array.from({ length: 100 }, () => ["junk", Buffer.alloc(0)] as const)))).toContain("no samples")
  })

  it("limits floats above full scale", () => {
    const file = wavFile({ encoding: "float", bits: 64, channels: 1, rate: 16_000 }, [[1e300, -1e300, 0.5]])
    expect(read(file)).toEqual(Int16Array.of(32_767, -32_768, 16_384))
  })

  it("answers any bytes with samples or a reason", () => {
    const good = wavFile({ ...pcm16, rate: 4_000, channels: 2 }, [sine(500, 4_000, 0.01), sine(500, 4_000, 0.01)])
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 8 }), fc.nat(good.length), (edits, cut) => {
        const file = Buffer.from(good.subarray(0, cut))
        for (const [offset, value] of edits) if (offset < file.length) file[offset] = value
        const result = readWav(file, limits)
        if (Result.isSuccess(result)) expect(result.success.length).toBeLessThanOrEqual(48_000)
        else expect(result.failure._tag).toBe("WakeWordError")
      }),
      { numRuns: 500 }
    )
  })
})
