/** A notification as a mail: text and page, in the reader's language. Pure. Source of its header: RFC 3834 §5. */
import type { NotificationContent, NotificationSeverity } from "#core/contracts/Notifications.ts"
import { escapeHtml } from "#core/html/ComposeLink.ts"

export type Language = "de" | "en"

/** The language of a locale (BCP 47); whoever reads neither gets English. */
export const languageOf = (locale: string): Language => /^de(-|_|$)/i.test(locale) ? "de" : "en"

const words = {
  de: {
    severity: { info: "Hinweis", success: "Erledigt", warning: "Warnung", error: "Fehler" },
    greeting: (name: string) => name === "" ? "Guten Tag," : `Guten Tag ${name},`,
    more: "Mehr dazu",
    inApp: "Mehr dazu in der Anwendung.",
    why: "Sie bekommen diese Nachricht, weil Ihre Benachrichtigungen auch per E-Mail kommen. Das stellen Sie in der Anwendung ein."
  },
  en: {
    severity: { info: "Notice", success: "Done", warning: "Warning", error: "Error" },
    greeting: (name: string) => name === "" ? "Hello," : `Hello ${name},`,
    more: "See more",
    inApp: "See more in the application.",
    why: "You get this message because your notifications come by e-mail, too. You can change that in the application."
  }
} as const

/** Of the page's stripe; the colours that the console has: blue, green, yellow, red. */
const colours: Record<NotificationSeverity, string> = { info: "#1d6fd1", success: "#1f8a3b", warning: "#b88700", error: "#c62828" }

export interface NotificationMail {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

export const compose = (content: NotificationContent, reader: { readonly name: string; readonly locale: string }): NotificationMail => {
  const language = languageOf(reader.locale)
  const { greeting, inApp, more, severity, why } = words[language]
  const title = content.title.replace(/\s+/g, " ").trim()
  const hello = greeting(reader.name.replace(/[\p{C}\s]+/gu, " ").trim())
  const word = severity[content.severity]
  // A path of ours is no link in a mail: who reads it may come by any of our names.
  const link = content.action_url?.startsWith("http") === true ? content.action_url : undefined
  const lead = link === undefined ? (content.action_url === undefined ? undefined : inApp) : `${more}: ${link}`
  const paragraphs = content.body.replace(/\r\n?/g, "\n").trim().split(/\n{2,}/)
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>`,
    `<body style="font-family:sans-serif;line-height:1.5;color:#222;background:#fff"><p>${escapeHtml(hello)}</p>`,
    `<div style="border-left:4px solid ${colours[content.severity]};padding-left:12px">`,
    `<p><strong>${escapeHtml(word)}: ${escapeHtml(title)}</strong></p>`,
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll("\n", "<br>")}</p>`),
    ...(link === undefined ? (lead === undefined ? [] : [`<p>${escapeHtml(lead)}</p>`]) : [`<p><a href="${escapeHtml(link)}">${escapeHtml(more)}</a></p>`]),
    `</div><p style="font-size:12px;color:#666">${escapeHtml(why)}</p></body></html>`
  ].join("\n")
  return {
    subject: `${word}: ${title}`,
    text: [hello, "", `${word}: ${title}`, "", paragraphs.join("\n\n"), ...(lead === undefined ? [] : ["", lead]), "", "-- ", why, ""].join("\n"),
    html,
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" }
  }
}
