/** Renders notifications as a mail: text and HTML in the reader's language. Source of its header: RFC 3834 §5. */
import type { NotificationContent, NotificationSeverity } from "#core/contracts/Notifications.ts"
import type { Brand } from "#core/config/BrandSettings.ts"
import { brandLine, brandMailHead, logoPart, presentBrand } from "#core/html/Brand.ts"
import { escaped } from "#core/html/Escape.ts"
import type { MailPicture } from "#core/mail-relay/MailRelay.ts"
import { languageOfAccount } from "#core/words/ChooseLanguage.ts"
import { long, shippedTexts } from "#core/words/ShippedTexts.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"

export const words = shippedTexts("comm-dispatcher.notification-mail", {
  en: {
    severity: { info: "Notice", success: "Done", warning: "Warning", error: "Error" },
    hello: "Hello,",
    helloName: "Hello {name},",
    more: "See more",
    inApp: "See more in the application.",
    several: "{count} notifications",
    omittedOf: long(
      "{count, plural, one {And one more, which you find in the application.} ",
      "other {And # more, which you find in the application.}}"
    ),
    why: "You get this message because your notifications come by e-mail, too. You can change that in the application."
  },
  de: {
    severity: { info: "Hinweis", success: "Erledigt", warning: "Warnung", error: "Fehler" },
    hello: "Guten Tag,",
    helloName: "Guten Tag {name},",
    more: "Mehr dazu",
    inApp: "Mehr dazu in der Anwendung.",
    several: "{count} Mitteilungen",
    omittedOf: long(
      "{count, plural, one {Und eine weitere, die in der Anwendung steht.} ",
      "other {Und # weitere, die in der Anwendung stehen.}}"
    ),
    why: long(
      "Sie bekommen diese Nachricht, weil Ihre Mitteilungen auch per E-Mail kommen. Das stellen Sie in ",
      "der Anwendung ein."
    )
  }
})

/** Colours of the stripe, as in the console: blue, green, yellow, red. */
const colours: Record<NotificationSeverity, string> = {
  info: "#1d6fd1",
  success: "#1f8a3b",
  warning: "#b88700",
  error: "#c62828"
}

export interface NotificationMail {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
  /** The logo of the installation. */
  readonly picture?: MailPicture | undefined
}

/** One line: "Warning: disk full". */
export const lineOf = ({ severity, title }: NotificationContent, language: LanguageCode): string =>
  `${words(language).severity[severity]}: ${title.replace(/\s+/g, " ").trim()}`

/** One notification, or several in one mail; `omitted`: the number of further ones. */
export const compose = (
  contents: ReadonlyArray<NotificationContent>,
  omitted: number,
  reader: { readonly name: string; readonly locale: string },
  brand: Brand = presentBrand()
): NotificationMail => {
  const language = languageOfAccount(reader.locale)
  const { hello, helloName, omittedOf, several, why } = words(language)
  const name = reader.name.replace(/[\p{C}\s]+/gu, " ").trim()
  const greeting = name === "" ? hello : helloName({ name })
  const subject =
    contents.length === 1 && omitted === 0
      ? lineOf(contents[0]!, language)
      : several({ count: contents.length + omitted })
  const parts = contents.map((content) => partOf(content, language))
  const rest = omitted === 0 ? [] : [omittedOf({ count: omitted })]
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    `<body style="font-family:sans-serif;line-height:1.5;color:#222;background:#fff">${brandMailHead(brand)}`,
    `<p>${escaped(greeting)}</p>`,
    ...parts.map(({ html }) => html),
    ...rest.map((line) => `<p>${escaped(line)}</p>`),
    `<p style="font-size:12px;color:#666">${escaped(why)}</p></body></html>`
  ].join("\n")
  return {
    subject,
    text: [
      greeting,
      "",
      ...parts.flatMap(({ text }) => [text, ""]),
      ...rest.flatMap((line) => [line, ""]),
      "-- ",
      ...brandLine(brand),
      why,
      ""
    ].join("\n"),
    html,
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    picture: logoPart(brand)
  }
}

/** One notification as text and as HTML. */
const partOf = (content: NotificationContent, language: LanguageCode) => {
  const { inApp, more } = words(language)
  const line = lineOf(content, language)
  // A relative path is no link in a mail, because the reader may use any host name of the application.
  const link = content.action_url?.startsWith("http") === true ? content.action_url : undefined
  const lead = link === undefined ? (content.action_url === undefined ? undefined : inApp) : `${more}: ${link}`
  const paragraphs = content.body
    .replace(/\r\n?/g, "\n")
    .trim()
    .split(/\n{2,}/)
  return {
    text: [line, "", paragraphs.join("\n\n"), ...(lead === undefined ? [] : ["", lead])].join("\n"),
    html: [
      `<div style="border-left:4px solid ${colours[content.severity]};padding-left:12px;margin-bottom:16px">`,
      `<p><strong>${escaped(line)}</strong></p>`,
      ...paragraphs.map((paragraph) => `<p>${escaped(paragraph).replaceAll("\n", "<br>")}</p>`),
      ...(link === undefined
        ? lead === undefined
          ? []
          : [`<p>${escaped(lead)}</p>`]
        : [`<p><a href="${escaped(link)}">${escaped(more)}</a></p>`]),
      "</div>"
    ].join("\n")
  }
}
