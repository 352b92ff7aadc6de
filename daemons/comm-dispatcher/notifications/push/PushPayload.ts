/**
 * Payload of a push: enough to show the notification. Pure. Source of its bound: RFC 8030 §7.2, RFC 8291 §4 (4,096
 * bytes including the encryption).
 */
import { languageOfAccount } from "#core/words/ChooseLanguage.ts"
import type { NotificationContent } from "#core/contracts/Notifications.ts"
import { lineOf, words } from "../mail/NotificationMail.ts"

/** Longest title and text. Unit: characters. Reason: desktops show less; at three bytes each they fit into 4,096. */
const maxTitle = 120
const maxBody = 300

/**
 * Longest address. Unit: characters. Reason: fits into 4,096 bytes too; a longer address opens the list of
 * notifications instead.
 */
const maxUrl = 500

/** Severities in ascending order. */
const weight = ["info", "success", "warning", "error"] as const

export interface PushPayload {
  readonly title: string
  readonly body: string
  /** A path of this application, or null. */
  readonly action_url: string | null
  readonly uuid: string
  readonly severity: NotificationContent["severity"]
}

/** One notification, or several together; `omitted`: the number of further ones. */
export const payloadOf = (
  contents: readonly [NotificationContent, ...ReadonlyArray<NotificationContent>],
  omitted: number,
  uuid: string,
  locale: string
): PushPayload => {
  const [first] = contents
  if (contents.length === 1 && omitted === 0) {
    return {
      title: cut(first.title, maxTitle),
      body: cut(first.body, maxBody),
      action_url: ownUrl(first.action_url),
      uuid,
      severity: first.severity
    }
  }
  const language = languageOfAccount(locale)
  return {
    title: words(language).several({ count: contents.length + omitted }),
    body: cut(contents.map((content) => lineOf(content, language)).join(" · "), maxBody),
    action_url: null,
    uuid,
    severity: contents.map(({ severity }) => severity).toSorted((a, b) => weight.indexOf(b) - weight.indexOf(a))[0]!
  }
}

/** On one line, without characters that JSON escapes with six characters. */
const cut = (text: string, most: number): string => {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
  return line.length <= most
    ? line
    : `${line
        .slice(0, most - 1)
        .toWellFormed()
        .replace(/\ufffd$/, "")}…`
}

const ownUrl = (url: string | undefined): string | null =>
  url?.startsWith("/") === true && url.length <= maxUrl ? url : null
