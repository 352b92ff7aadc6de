/** Wake words and names of models, as requests may write them. Pure. */
import { Schema } from "effect"

/** Longest wake word. Unit: UTF-16 units. Reason: a model hears 2 s of speech, which is about five words. */
export const maxWord = 60

/** Letters and digits, separated by single spaces, apostrophes or hyphens. */
const wordForm = /^[\p{L}\p{M}\p{N}]+(?:[ '\u2019-][\p{L}\p{M}\p{N}]+)*$/u

/** A wake word: one word or a short phrase, in any letter case. */
export const Word = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(maxWord), Schema.isPattern(wordForm))

/** The form of a word that is stored and compared: NFC, lower case. */
export const normalWord = (word: string): string => word.normalize("NFC").toLowerCase()

/** Longest name of a model. Unit: characters. Reason: it is a segment of a path. */
export const maxModelName = 63

/** Name of a model: lower-case letters, digits, dots, hyphens and underscores. Unique in its tenant. */
export const ModelName = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(maxModelName),
  Schema.isPattern(/^[a-z0-9][a-z0-9._-]*$/)
)

/** Longest part of a model's name that comes from its word. Unit: characters. Reason: leaves room for a number. */
const maxStem = 50

/** First part of a model's name: the word in ASCII, or `model` when nothing of the word is left. */
export const modelStem = (word: string): string => {
  const ascii = normalWord(word)
    .replaceAll("ä", "ae")
    .replaceAll("ö", "oe")
    .replaceAll("ü", "ue")
    .replaceAll("ß", "ss")
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, maxStem)
    .replace(/-+$/, "")
  return ascii === "" ? "model" : ascii
}

/** Language of a word: the two letters of ISO 639-1. Which of them can be spoken depends on the machine. */
export const SpokenLanguage = Schema.String.check(Schema.isPattern(/^[a-z]{2}$/))
