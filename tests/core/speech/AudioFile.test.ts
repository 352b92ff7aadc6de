import fc from "fast-check"
import { Result } from "effect"
import { assert, describe, expect, it } from "vitest"
import { maxAudioBytes } from "#core/speech/Audio.ts"
import { judgeAudio } from "#core/speech/AudioFile.ts"
import { readMp3 } from "#core/speech/Mp3Frames.ts"
import { readOggOpus } from "#core/speech/OggOpus.ts"
import { readWav, writeWav } from "#core/speech/WavFile.ts"
import { tone } from "#support/SpeechDouble.ts"

const wave = (change: (header: Buffer) => void, samples = 3_200) => {
  const bytes = writeWav(Buffer.alloc(samples, 1), 16_000)
  change(bytes)
  return bytes
}

const why = <A>(result: Result.Result<A, string>) => (Result.isFailure(result) ? result.failure : "accepted")

describe("WavFile", () => {
  it("reads back what it writes, for any rate, channels and length", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4_000, max: 192_000 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: 2_000 }),
        (rate, channels, blocks) => {
          const facts = Result.getOrThrow(readWav(writeWav(Buffer.alloc(blocks * channels * 2), rate, channels)))
          expect(facts).toEqual({
            encoding: 1,
            channels,
            sampleRate: rate,
            bitsPerSample: 16,
            dataOffset: 44,
            dataBytes: blocks * channels * 2,
            durationMs: Math.round((blocks / rate) * 1000)
          })
        }
      )
    )
  })

  it("finds the samples after other chunks of any length, from the beginning of the file", () => {
    const plain = tone(1_000)
    const list = Buffer.concat([Buffer.from("LIST\x03\0\0\0abc\0", "latin1")])
    const file = Buffer.concat([plain.subarray(0, 36), list, plain.subarray(36)])
    expect(Result.getOrThrow(readWav(file))).toMatchObject({ durationMs: 1_000, dataOffset: 56 })
    expect(Result.getOrThrow(readWav(file.subarray(0, 56), file.length))).toMatchObject({ durationMs: 1_000 })
    expect(why(readWav(file.subarray(0, 56)))).toContain("are missing")
  })

  it("treats the unknown length of a piped file as the rest of the file", () => {
    for (const length of [0x7fff_f000, 0xffff_ffff]) {
      expect(Result.getOrThrow(readWav(wave((header) => header.writeUInt32LE(length, 40))))).toMatchObject({
        dataBytes: 3_200,
        durationMs: 100
      })
    }
  })

  it.each([
    ["no RIFF", (header: Buffer) => header.write("RIFX", 0), "no RIFF"],
    ["no channel", (header: Buffer) => header.writeUInt16LE(0, 22), "0 channels"],
    ["no rate", (header: Buffer) => header.writeUInt32LE(0, 24), "0 Hz"],
    ["no bits", (header: Buffer) => header.writeUInt16LE(0, 34), "0 bits"],
    [
      "more samples declared than there are",
      (header: Buffer) => header.writeUInt32LE(4_000, 40),
      "800 bytes of its samples are missing"
    ],
    ["a chunk longer than the file", (header: Buffer) => header.writeUInt32LE(0xffff_fff0, 16), "no samples"],
    ["samples before the format", (header: Buffer) => header.write("data", 12), "before their format"]
  ])("refuses %s", (_, change, message) => {
    expect(why(readWav(wave(change)))).toContain(message)
  })
})

/** An Ogg page (RFC 3533 §6) without its checksum. */
const page = (granule: bigint, flags: number, payload: Buffer): Buffer => {
  const head = Buffer.alloc(27)
  head.write("OggS", 0)
  head[5] = flags
  head.writeBigInt64LE(granule, 6)
  const lacing = [...Array<number>(Math.floor(payload.length / 255)).fill(255), payload.length % 255]
  head[26] = lacing.length
  return Buffer.concat([head, Buffer.from(lacing), payload])
}
const opusHead = Buffer.from([...Buffer.from("OpusHead"), 1, 1, 0x38, 0x01, 0x80, 0xbb, 0, 0, 0, 0, 0])
const ogg = [page(0n, 2, opusHead), page(0n, 0, Buffer.from("OpusTags")), page(48_312n, 4, Buffer.alloc(600))]

describe("OggOpus", () => {
  it("computes the duration from the last granule without the pre-skip", () => {
    expect(Result.getOrThrow(readOggOpus(Buffer.concat(ogg)))).toEqual({ channels: 1, durationMs: 1_000 })
  })

  it("refuses truncated and foreign files", () => {
    const whole = Buffer.concat(ogg)
    for (let length = 0; length < whole.length; length++)
      assert(Result.isFailure(readOggOpus(whole.subarray(0, length))), `cut at ${length}`)
    expect(why(readOggOpus(Buffer.concat(ogg.slice(0, 2))))).toContain("end is missing")
    expect(why(readOggOpus(page(0n, 6, Buffer.from("\x01vorbis-and-more-of-it"))))).toContain("no Opus")
  })
})

/** An MP3 frame: MPEG-1 layer III, 64 kbit/s, 44.1 kHz, 208 bytes. */
const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x50, 0xc4]), Buffer.alloc(204)])

describe("Mp3Frames", () => {
  it("sums the frames between tags", () => {
    const tag = Buffer.from([...Buffer.from("ID3"), 4, 0, 0, 0, 0, 1, 2, ...Buffer.alloc(130)])
    const trailer = Buffer.concat([Buffer.from("TAG"), Buffer.alloc(125)])
    const frames = Array<Buffer>(50).fill(frame)
    expect(Result.getOrThrow(readMp3(Buffer.concat([tag, ...frames, trailer])))).toEqual({
      sampleRate: 44_100,
      durationMs: 1_306
    })
    expect(why(readMp3(Buffer.concat(frames).subarray(0, -1)))).toContain("cut")
    expect(why(readMp3(Buffer.from("<html><body>")))).toContain("no MP3")
    expect(why(readMp3(Buffer.from("ID3")))).toContain("no MP3")
    expect(why(readMp3(tag))).toContain("no frames")
  })
})

describe("judgeAudio", () => {
  it("recognises the telephony format, and audio to convert", () => {
    expect(Result.getOrThrow(judgeAudio("wav", tone(250)))).toEqual({ durationMs: 250, final: true })
    expect(Result.getOrThrow(judgeAudio("wav", tone(250, 22_050))).final).toBe(false)
    expect(
      Result.getOrThrow(
        judgeAudio(
          "wav",
          wave((header) => header.writeUInt32LE(0x7fff_f000, 40))
        )
      ).final
    ).toBe(true)
  })

  it("refuses silence, hours and too many bytes", () => {
    expect(why(judgeAudio("wav", writeWav(Buffer.alloc(0), 16_000)))).toContain("silent")
    expect(why(judgeAudio("wav", writeWav(Buffer.alloc(8_000 * 601), 4_000)))).toContain("longer than 600000 ms")
    expect(why(judgeAudio("wav", Buffer.alloc(maxAudioBytes + 1)))).toContain("larger")
  })

  it("judges any bytes quickly", () => {
    const start = fc.constantFrom(tone(20).subarray(0, 60), Buffer.concat(ogg), frame, Buffer.alloc(0))
    const hostile = fc
      .tuple(start, fc.uint8Array({ maxLength: 200 }), fc.array(fc.tuple(fc.nat(250), fc.nat(255)), { maxLength: 8 }))
      .map(([head, tail, flips]) => {
        const bytes = Buffer.concat([head, tail])
        for (const [at, value] of flips) if (at < bytes.length) bytes[at] = value
        return bytes
      })
    fc.assert(
      fc.property(hostile, fc.constantFrom("wav" as const, "ogg" as const, "mp3" as const), (bytes, format) => {
        const judged = judgeAudio(format, bytes)
        assert(Result.isFailure(judged) || (judged.success.durationMs > 0 && judged.success.durationMs <= 600_000))
      }),
      { numRuns: 2_000 }
    )
  })
})
