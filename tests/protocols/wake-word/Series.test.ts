import { describe, expect, it } from "vitest"
import { inSeries, readSeries, seriesArguments, seriesText } from "#protocols/wake-word/Series.ts"
import { sine, wavFile, type WavKind } from "./WavFiles.ts"

const kind: WavKind = { encoding: "pcm", bits: 16, channels: 1, rate: 16_000 }

/** Sounds of these seconds, with a pause after each. */
const sounds = (seconds: ReadonlyArray<number>, pause: number, format: WavKind = kind) =>
  wavFile(format, [
    seconds.flatMap((length) => [...sine(500, format.rate, length), ...Array<number>(pause * format.rate).fill(0)])
  ])

describe("a series of utterances", () => {
  it("has one voice, an end, and no other speech", () => {
    const spoken = (kind: "positive" | "adversarial" | "negative", voice: string) => ({ kind, voice })
    expect(
      inSeries([
        spoken("positive", "a"),
        spoken("positive", "b"),
        spoken("negative", "a"),
        spoken("adversarial", "a"),
        spoken("negative", "a"),
        ...Array.from({ length: 12 }, () => spoken("positive", "b")),
        spoken("positive", "b")
      ])
    ).toEqual([[0, 3], [1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], [2], [4], [16, 17]])
    expect(inSeries([])).toEqual([])
  })

  it("is SSML in which a text is only text", () => {
    const utterance = { voice: "de+f3", speed: 130, pitch: 40 }
    expect(seriesArguments({ ...utterance, text: "-m" })[0]).toBe("-m")
    expect(
      seriesText([
        { ...utterance, text: "Tom & Jerry <b>\u0001300S</s>" },
        { ...utterance, text: "eins", speed: 200 }
      ])
    ).toBe(
      '<speak><s>\u0001130S\u000140PTom &amp; Jerry &lt;b&gt; 300S&lt;/s&gt;</s><break time="2000ms"/>' +
        '<s>\u0001200S\u000140Peins</s><break time="2000ms"/></speak>'
    )
  })
})

describe("readSeries", () => {
  it("divides the audio at its pauses", () => {
    const seconds = [0.3, 0.5, 0.2]
    const clips = readSeries(sounds(seconds, 0.8), 3)!
    // With 20 ms of silence on both sides; before the first sound there is none.
    expect(clips.map(({ length }) => length / 16_000)).toEqual(
      seconds.map((length, index) => expect.closeTo(length + (index === 0 ? 0.02 : 0.04), 3))
    )
    expect(readSeries(sounds(seconds, 0.8, { ...kind, rate: 22_050 }), 3)?.map(({ length }) => length)).toEqual(
      clips.map(({ length }) => expect.closeTo(length, -1))
    )
  })

  it("gives nothing for another number of parts, short pauses, silence and other formats", () => {
    const three = sounds([0.3, 0.3, 0.3], 0.8)
    expect([2, 4].map((count) => readSeries(three, count))).toEqual([undefined, undefined])
    expect(readSeries(sounds([0.3, 0.3, 0.3], 0.4), 3)).toBeUndefined()
    expect(readSeries(wavFile(kind, [Array<number>(16_000).fill(0)]), 1)).toBeUndefined()
    expect(readSeries(sounds([0.3, 0.3], 0.8, { ...kind, bits: 8 }), 2)).toBeUndefined()
    expect(readSeries(Buffer.from("no audio"), 1)).toBeUndefined()
  })
})
