/** Fields of requests that several features of provisioning share. */
import { Schema } from "effect"
import { plainText } from "#core/http/Paging.ts"

/** Name of a service, module, package or addon in programs: `cloud-storage`. */
export const Slug = Schema.String.check(Schema.isMaxLength(50), Schema.isPattern(/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/))

/** Language code as a key: `de`, `en`, `pt-BR`. Source: BCP 47, without extensions. */
const LanguageCode = Schema.String.check(Schema.isPattern(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?$/))

/** A text in several languages; English is required, because it stands for missing languages. */
export const Translated = (maximum: number) =>
  Schema.Record(LanguageCode, plainText(maximum)).check(
    Schema.makeFilter((texts: Readonly<Record<string, string>>) =>
      texts["en"] === undefined ? "must contain the language en" : undefined
    )
  )

/** Text of a language, else of its primary language (`de` of `de-AT`), else English. Pure. */
export const textIn = (texts: Readonly<Record<string, string>>, language: string): string =>
  texts[language] ?? texts[language.split("-", 1)[0]!] ?? texts["en"] ?? Object.values(texts)[0] ?? ""
