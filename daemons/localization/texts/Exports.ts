/** Languages and texts, for the other features. */
export { author } from "./Author.ts"
export { InvalidMessage } from "./Errors.ts"
export { Key, keptLocales, Locale, LocaleName, maxKeys, maxText, sourceLocale, Text, TextState } from "./Fields.ts"
export * as History from "./History.ts"
export * as Languages from "./Languages.ts"
export {
  fits,
  type Message,
  type MessageFormatElement,
  missingPlaceholders,
  readMessage,
  TYPE,
  unknownPlaceholders
} from "#core/words/Message.ts"
export { otherPlaceholders } from "./OtherPlaceholders.ts"
export * as TextList from "./TextList.ts"
export * as Texts from "./Texts.ts"
export { announceTexts, textTopic } from "./Topic.ts"
