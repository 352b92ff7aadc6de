import { language } from "../../lib/Language.ts"
import { inGerman } from "./GermanSentences.ts"

/** The daemon's sentence in the page's language. */
export const said = (sentence: string): string => (language.value === "de" ? inGerman(sentence) : undefined) ?? sentence
