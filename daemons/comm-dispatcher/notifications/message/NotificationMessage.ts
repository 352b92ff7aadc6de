/** Renders notifications as one messenger message in the reader's language. Pure. */
import { languageOfAccount } from "#core/words/ChooseLanguage.ts"
import type { NotificationContent } from "#core/contracts/Notifications.ts"
import { lineOf, words } from "../mail/NotificationMail.ts"

export const messageOf = (contents: ReadonlyArray<NotificationContent>, omitted: number, locale: string): string => {
  const language = languageOfAccount(locale)
  const { inApp, more, omittedOf } = words(language)
  const parts = contents.map((content) => {
    const link =
      content.action_url?.startsWith("http") === true
        ? `${more}: ${content.action_url}`
        : content.action_url === undefined
          ? undefined
          : inApp
    return [
      lineOf(content, language),
      content.body.replace(/\r\n?/g, "\n").trim(),
      ...(link === undefined ? [] : [link])
    ].join("\n")
  })
  return [...parts, ...(omitted === 0 ? [] : [omittedOf({ count: omitted })])].join("\n\n")
}
