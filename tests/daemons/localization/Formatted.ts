/** Formats a message as a reader's program does, to compare messages by what they show. */
import { Result } from "effect"
import { type MessageFormatElement, readMessage, TYPE } from "#daemons/localization/texts/Message.ts"

export type Given = Readonly<Record<string, string | number>>

const write = (
  elements: ReadonlyArray<MessageFormatElement>,
  values: Given,
  locale: string,
  count: number | undefined
): string =>
  elements
    .map((element): string => {
      switch (element.type) {
        case TYPE.literal:
          return element.value
        case TYPE.pound:
          return String(count ?? "#")
        case TYPE.plural: {
          const value = Number(values[element.value])
          const type = element.pluralType ?? "cardinal"
          const category = new Intl.PluralRules(locale, { type }).select(value - element.offset)
          const option = element.options[`=${value}`] ?? element.options[category] ?? element.options["other"]
          return write(option!.value, values, locale, value - element.offset)
        }
        case TYPE.select:
          return write(
            (element.options[String(values[element.value])] ?? element.options["other"])!.value,
            values,
            locale,
            count
          )
        case TYPE.tag:
          return element.value
        default:
          return String(values[element.value])
      }
    })
    .join("")

export const formatted = (message: string, values: Given, locale = "en"): string =>
  write(Result.getOrThrow(readMessage(message)).elements, values, locale, undefined)
