import { expect, it } from "vitest"
import { isMade, madeNames, madeVariants } from "#protocols/wake-word/MadeVoices.ts"
import { planTraining } from "#protocols/wake-word/Plan.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { spoken, withMadeVoices } from "#support/EspeakVoices.ts"

it("differ, and are heard in their own parts only", () => {
  const all = [...madeVariants.train, ...madeVariants.check]
  expect(new Set(all.map(({ file }) => file.replace(/^name .*$/m, ""))).size).toBe(all.length)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  const { heldOutVoices, utterances } = planTraining({
    word: "marigold",
    language: "en",
    seed: 1,
    voices: ["en-gb"],
    variants: ["m1", "m2", "m3", "f1", "f2", "f3", "f4", "f5", "m4", "m5", "m6", "m7", "m8", "klatt", "klatt2"],
    made: madeNames,
    positives: { train: 300, check: 80, heldOut: 30 },
    adversarial: 0,
    hours: { train: 0.01, check: 0.01, heldOut: 0.01 }
  })
  for (const part of ["train", "check"] as const) {
    const made = utterances.filter(({ voice, ...own }) => own.part === part && isMade(voice))
    expect(new Set(made.map(({ voice }) => voice))).toEqual(new Set(madeNames[part].map((name) => `en-gb+${name}`)))
  }
  expect(heldOutVoices.some(isMade)).toBe(false)
  expect(utterances.some(({ part, voice }) => part === "heldOut" && isMade(voice))).toBe(false)
  // Every second check voice is one of espeak-ng.
  const check = utterances.filter(({ kind, part }) => part === "check" && kind === "positive")
  expect(check.map(({ voice }) => isMade(voice))).toEqual(check.map((_, index) => index % 2 === 0))
})

/** One base voice, two variants for training and one held out; the check part has no voice of espeak-ng. */
const fewVoices = {
  word: "marigold",
  language: "en",
  seed: 1,
  voices: ["en-gb"],
  variants: ["m2", "m3", "f3"],
  made: madeNames,
  adversarial: 0,
  hours: { train: 0.01, check: 0.01, heldOut: 0.01 }
}

it("take turns with those of espeak-ng in training, so that each voice is heard equally often", () => {
  const each = 2 + madeNames.train.length
  const { utterances } = planTraining({ ...fewVoices, positives: { train: each, check: 1, heldOut: 1 } })
  const spoken = utterances.filter(({ kind, part }) => kind === "positive" && part === "train")
  expect(new Set(spoken.map(({ voice }) => voice)).size).toBe(each)
})

it("check alone when espeak-ng has no voice for the check", () => {
  const each = madeNames.check.length
  const { utterances } = planTraining({ ...fewVoices, positives: { train: 1, check: each, heldOut: 1 } })
  const spoken = utterances.filter(({ kind, part }) => kind === "positive" && part === "check")
  expect(new Set(spoken.map(({ voice }) => voice))).toEqual(new Set(madeNames.check.map((name) => `en-gb+${name}`)))
})

describePeers(["espeak-ng"], "made voices", () => {
  it("speak, each in its own way", async () => {
    await withMadeVoices(async ({ data, made }) => {
      const say = (voice: string) => spoken({ text: "computer", voice, speed: 175, pitch: 50 }, data)
      const clips = await Promise.all(["en", `en+${made[0]}`, `en+${made[1]}`, "en+f2"].map(say))
      for (const clip of clips) expect(clip.length).toBeGreaterThan(4_000)
      expect(
        new Set(clips.map((clip) => Buffer.from(clip.buffer, clip.byteOffset, clip.byteLength).toString("base64"))).size
      ).toBe(4)
    })
  })
})
