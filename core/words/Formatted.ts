/**
 * Fills values into a message. Pure. Source: ICU MessageFormat.
 *
 * Numbers are written without separators, because texts count days and attempts. The library intl-messageformat does
 * the same with its own cache and rich text; this file has 50 lines beside the parser, which both use.
 */
import { type Message, type MessageFormatElement, TYPE } from "./Message.ts"

/** Values by the names of placeholders. */
export type Values = Readonly<Record<string, string | number>>

/** `language`: code of the language, for its plural forms. A placeholder without value stays as its name in braces. */
export const formatted = ({ elements }: Message, language: string, values: Values): string =>
  write(elements, language, values, "#")

const write = (
  elements: ReadonlyArray<MessageFormatElement>,
  language: string,
  values: Values,
  pound: string
): string => {
  let text = ""
  for (const element of elements) text += written(element, language, values, pound)
  return text
}

const written = (element: MessageFormatElement, language: string, values: Values, pound: string): string => {
  switch (element.type) {
    case TYPE.literal:
      return element.value
    case TYPE.pound:
      return pound
    case TYPE.plural: {
      const value = Number(values[element.value])
      const count = value - element.offset
      const form = rules(language, element.pluralType ?? "cardinal").select(count)
      const options: Readonly<Record<string, { readonly value: ReadonlyArray<MessageFormatElement> }>> = element.options
      const option = options[`=${value}`] ?? options[form] ?? options["other"]
      return option === undefined ? "" : write(option.value, language, values, String(count))
    }
    case TYPE.select: {
      const option = element.options[String(values[element.value])] ?? element.options["other"]
      return option === undefined ? "" : write(option.value, language, values, pound)
    }
    case TYPE.tag:
      return write(element.children, language, values, pound)
    default:
      return Object.hasOwn(values, element.value) ? String(values[element.value]) : `{${element.value}}`
  }
}

const known = new Map<string, Intl.PluralRules>()

/** Cached, because making the rules costs more than using them. Bounded by the number of languages. */
const rules = (language: string, type: "cardinal" | "ordinal"): Intl.PluralRules => {
  const key = `${type} ${language}`
  let held = known.get(key)
  if (held === undefined) known.set(key, (held = new Intl.PluralRules(language, { type })))
  return held
}
