/** Mail about an incident update or announced maintenance. Pure. */
import { hash } from "node:crypto"
import { brandLine } from "#core/html/Brand.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { messageOf, nameOf, titleOf, words } from "../publication/Exports.ts"
import type { IncidentContent, NoticeContent } from "./Content.ts"
import { colours, facts, line, link, page, paragraphsOf, subjectOf, text, written } from "./MailFrame.ts"
import { headersOf, hostOf, unsubscribeLink } from "./MailHeaders.ts"
import type { MailTransport } from "./MailTransport.ts"
import { mailWords, moment } from "./MailWords.ts"

export interface Rendered {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

export const noticeMail = (
  content: NoticeContent,
  {
    language,
    unsubscribeToken,
    transport
  }: { readonly language: LanguageCode; readonly unsubscribeToken: string; readonly transport: MailTransport }
): Rendered => {
  const t = mailWords(language)
  const title = line(titleOf(content, language))
  const message = messageOf(content, language)
  const label = content.kind === "incident" ? words(language).incident[content.status] : t.maintenance
  const subject = subjectOf(`${label}: ${title}`)
  const pairs = factsOf(content, language)
  const href =
    content.kind === "incident"
      ? `${transport.base}/incidents/${encodeURIComponent(content.id)}?lang=${language}`
      : `${transport.base}/?lang=${language}`
  const button = content.kind === "incident" ? t.openIncident : t.open
  const why = t.why({ host: hostOf(transport) })
  const unsubscribe = unsubscribeLink(transport, unsubscribeToken, language)
  const change = `${transport.base}/subscribe?lang=${language}`
  return {
    subject,
    text: [
      `${label}: ${title}`,
      "",
      ...paragraphsOf(message).flatMap((lines) => [...lines, ""]),
      ...pairs.map(([name, value]) => `${name}: ${value}`),
      "",
      `${button}: ${href}`,
      "",
      "-- ",
      ...brandLine(),
      why,
      `${t.unsubscribe}: ${unsubscribe}`,
      `${t.change} ${change}`,
      ""
    ].join("\n"),
    html: page({
      language,
      subject,
      title,
      label: { text: label, colour: colourOf(content) },
      body: [...written(message), facts(pairs)],
      button: { text: button, href },
      foot: [text(why, " ", link(t.unsubscribe, unsubscribe)), text(t.change, " ", link(t.subscribeLink, change))]
    }),
    // All mails of an incident refer to the same virtual mail, so mail programs show them as one thread.
    headers: {
      ...headersOf(transport, unsubscribe, language),
      References: `<thread.${hash("sha256", `${content.kind}\n${content.id}`, "hex").slice(0, 32)}@${transport.domain}>`
    }
  }
}

const factsOf = (content: NoticeContent, language: LanguageCode): ReadonlyArray<readonly [string, string]> => {
  const t = mailWords(language)
  const affects = [
    t.affects,
    content.components.length === 0 ? t.all : content.components.map((one) => line(nameOf(one, language))).join(", ")
  ] as const
  return content.kind === "incident"
    ? [
        affects,
        [t.severity, words(language).severity[content.severity]],
        [t.reported, moment(content.timestamp, language)]
      ]
    : [affects, [t.begins, moment(content.starts_at, language)], [t.ends, moment(content.ends_at, language)]]
}

const colourOf = (content: NoticeContent): string =>
  content.kind === "maintenance" ? colours.notice : incidentColour(content)

const incidentColour = ({ severity, status }: IncidentContent): string =>
  status === "resolved"
    ? colours.good
    : status === "monitoring"
      ? colours.notice
      : severity === "minor"
        ? colours.warning
        : colours.bad
