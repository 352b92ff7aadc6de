/** Counts the word in the text of a speech recognition. Pure. */

/** Words in lower case, without accents and punctuation. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")

/** How often the text has the word or phrase, as whole words. */
export const timesSpoken = (text: string, word: string): number => {
  const [all, wanted] = [wordsOf(text), wordsOf(word)]
  return wanted.length === 0 ? 0 : all.filter((_, at) => wanted.every((one, index) => all[at + index] === one)).length
}

/** Language tags that recognitions know. */
const tags: Readonly<Record<string, string>> = { de: "de-DE", en: "en-US" }

/** `language`: ISO 639-1. */
export const tagOf = (language: string): string => tags[language] ?? language
