/** Public pages of a link, without script. Pure. */
import { type ComponentChildren, h } from "preact"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { frame, type FrameOptions } from "../device-pages/Exports.ts"
import { words } from "./Words.ts"

const page = (
  language: LanguageCode,
  options: Omit<FrameOptions, "language">,
  ...children: ReadonlyArray<ComponentChildren>
) => frame({ language, ...options }, h("main", null, h("h1", null, options.title), ...children))

/** The button posts to the address of the page. */
const button = (text: string) => h("form", { method: "post" }, h("button", { type: "submit" }, text))

/** The page of every link, valid or not: it reads nothing, so it tells a stranger nothing. */
export const buttonPage = (language: LanguageCode) => {
  const t = words(language)
  return page(
    language,
    { title: t.title, address: (one) => `?lang=${one}` },
    h("p", null, t.text),
    h("p", null, t.hint),
    button(t.button)
  )
}

export const gonePage = (language: LanguageCode) => {
  const t = words(language)
  return page(language, { title: t.gone, status: 404 }, h("p", null, t.goneText))
}

export const awayPage = (language: LanguageCode) => {
  const t = words(language)
  return page(language, { title: t.away, status: 503 }, h("p", null, t.awayText), button(t.again))
}

export const tooManyPage = (language: LanguageCode, seconds: number) => {
  const t = words(language)
  const headers = { "retry-after": String(seconds) }
  return page(language, { title: t.tooMany, status: 429, headers }, h("p", null, t.tooManyText), button(t.again))
}
