/** Mail that asks for confirmation of a subscription. Pure. */
import { brandLine } from "#core/html/Brand.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { link, page, text } from "./MailFrame.ts"
import { confirmLink, headersOf, hostOf, unsubscribeLink } from "./MailHeaders.ts"
import type { MailTransport } from "./MailTransport.ts"
import { mailWords } from "./MailWords.ts"
import type { Rendered } from "./NoticeMail.ts"
import { linkHours } from "./SignUpLimits.ts"

export const confirmMail = ({
  language,
  token,
  unsubscribeToken,
  transport
}: {
  readonly language: LanguageCode
  readonly token: string
  readonly unsubscribeToken: string
  readonly transport: MailTransport
}): Rendered => {
  const t = mailWords(language)
  const host = hostOf(transport)
  const confirm = confirmLink(transport, token, language)
  const unsubscribe = unsubscribeLink(transport, unsubscribeToken, language)
  const { ask, button, lead, remove, stranger, subject } = t.confirm
  const holds = t.confirm.holds({ hours: linkHours })
  return {
    subject,
    text: [
      lead({ host }),
      "",
      ask,
      "",
      confirm,
      "",
      holds,
      stranger,
      "",
      "-- ",
      ...brandLine(),
      remove,
      unsubscribe,
      ""
    ].join("\n"),
    html: page({
      language,
      subject,
      title: subject,
      body: [text(lead({ host })), text(ask)],
      button: { text: button, href: confirm },
      after: [text(holds), text(stranger)],
      foot: [remove, " ", link(t.unsubscribe, unsubscribe)]
    }),
    headers: headersOf(transport, unsubscribe, language)
  }
}
