/** The word in the text of a speech recognition. */
import { expect, it } from "vitest"
import { tagOf, timesSpoken } from "../../../console/wake-word/Spoken.ts"

it.each([
  ["Computer", "computer", 1],
  ["computers are loud", "computer", 0],
  ["Hey, Computer!", "hey computer", 1],
  ["hey my computer", "hey computer", 0],
  ["Öffne die Tür", "offne", 1],
  ["computer computer and COMPUTER", "computer", 3],
  ["", "computer", 0],
  ["anything", "  ", 0]
])("%j has %j %i times", (text, word, times) => {
  expect(timesSpoken(text, word)).toBe(times)
})

it("has tags for the languages of models", () => {
  expect(["de", "en", "fr"].map(tagOf)).toEqual(["de-DE", "en-US", "fr"])
})
