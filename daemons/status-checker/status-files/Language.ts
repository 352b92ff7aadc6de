/** In which language somebody is answered. Source of the order: interface document 3 §4.1. */
export { type Language, languageFrom } from "#core/words/Language.ts"
