/** Finds the word in the text of a speech recognition. Pure. */

/** Lower case without accents and punctuation, words separated by single spaces. */
const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** Whether the text has the word or phrase, as whole words. */
export const speaks = (text: string, word: string): boolean =>
  plain(word) !== "" && ` ${plain(text)} `.includes(` ${plain(word)} `)

/** Language tags that recognitions know. */
const tags: Readonly<Record<string, string>> = { de: "de-DE", en: "en-US" }

/** `language`: ISO 639-1. */
export const tagOf = (language: string): string => tags[language] ?? language
