import { Effect } from "effect"
import { expect, it } from "vitest"
import { speak, speakSeries } from "#daemons/wake-word/training/work/Espeak.ts"
import { trimSilence } from "#protocols/wake-word/Augment.ts"
import { logMel } from "#protocols/wake-word/LogMel.ts"
import { melBands } from "#protocols/wake-word/Shape.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { withMadeVoices } from "#support/EspeakVoices.ts"

/** Mean of each mel band over a clip. */
const spectrum = (clip: Int16Array) => {
  const frames = logMel(clip)
  const count = frames.length / melBands
  return Array.from({ length: melBands }, (_, band) => {
    let sum = 0
    for (let frame = 0; frame < count; frame++) sum += frames[frame * melBands + band]!
    return sum / count
  })
}

/** Mean difference of two spectra. */
const distance = (one: Int16Array, other: Int16Array) => {
  const [a, b] = [spectrum(one), spectrum(other)]
  return a.reduce((sum, value, band) => sum + Math.abs(value - b[band]!), 0) / melBands
}

const words = ["Papagei", "Tiger & Löwe", "Hallo, Computer!"]

describePeers(["espeak-ng"], "speech of espeak-ng", () => {
  it("is nearly the same in a series as alone, in each voice, speed and pitch", { timeout: 60_000 }, async () => {
    await withMadeVoices(async ({ data }) => {
      // de+f3 has an echo.
      for (const voice of ["de+f3", "de+m1", "en-gb+Storm", "de+made0"]) {
        const utterances = words.map((text, index) => ({
          text,
          voice,
          speed: 130 + 40 * index,
          pitch: 25 + 20 * index
        }))
        const [series, alone] = await Effect.runPromise(
          Effect.all([speakSeries(utterances, data), Effect.forEach(utterances, (utterance) => speak(utterance, data))])
        )
        expect(series.length).toBe(words.length)
        for (const [index, own] of alone.map(trimSilence).entries()) {
          const clip = trimSilence(series[index]!)
          expect(Math.abs(clip.length / own.length - 1)).toBeLessThan(0.03)
          // Between two of the words it is 0.2 to 0.5.
          expect(distance(clip, own)).toBeLessThan(0.05)
        }
      }
    })
  })

  it("is divided by single runs where a series has no clear pauses", async () => {
    const utterances = ["eins", ",", "zwei"].map((text) => ({ text, voice: "de+f3", speed: 175, pitch: 50 }))
    const [series, alone] = await Effect.runPromise(
      Effect.all([speakSeries(utterances), Effect.forEach(utterances, (utterance) => speak(utterance))])
    )
    expect(series).toEqual(alone)
  })
})
