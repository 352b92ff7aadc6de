/**
 * Headers and links of every mail to a subscriber. Pure. Sources: RFC 8058 §3.1 (one-click), RFC 2369 §3.2, RFC 2919
 * (List-Id), RFC 3834 §5 (no automatic replies), RFC 3282 (Content-Language).
 */
import type { LanguageCode } from "#core/words/TextMemory.ts"
import type { MailTransport } from "./MailTransport.ts"

export const unsubscribeLink = ({ base }: Pick<MailTransport, "base">, token: string, language: LanguageCode): string =>
  `${base}/unsubscribe?${new URLSearchParams({ token, lang: language })}`

export const confirmLink = ({ base }: Pick<MailTransport, "base">, token: string, language: LanguageCode): string =>
  `${base}/subscribe/confirm?${new URLSearchParams({ token, lang: language })}`

export const headersOf = (
  transport: Pick<MailTransport, "base" | "domain">,
  unsubscribe: string,
  language: LanguageCode
): Readonly<Record<string, string>> => ({
  "List-Unsubscribe": `<${unsubscribe}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  "List-Id": `<status.${transport.domain}>`,
  "Auto-Submitted": "auto-generated",
  "X-Auto-Response-Suppress": "All",
  "Content-Language": language
})

/** Host name of the page, as subscribers know it. */
export const hostOf = ({ base }: Pick<MailTransport, "base">): string => new URL(base).host
