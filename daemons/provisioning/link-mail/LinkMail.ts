/** The mail with a provisioning link. Pure. Plain text, so that nothing in it hides where the link leads. */
import { catalogue, formatLocales, type Language } from "#core/words/Language.ts"

export interface LinkMail {
  readonly language: Language
  readonly name: string
  readonly link: string
  readonly organization: string
  readonly expiresAt: Date
}

const words = catalogue({
  en: {
    subject: (organization: string) => `Set up your device: ${organization}`,
    hello: (name: string) => `Hello ${name},`,
    text: "this link sets up a phone, a tablet or a computer with your accounts:",
    once: (until: string) => `Open it on the device itself. It works once, until ${until}.`,
    secret: "Do not pass the link on: whoever opens it is signed in as you.",
    stranger: "You did not expect this mail? Then ignore it and tell your administrator."
  },
  de: {
    subject: (organization: string) => `Ihr Gerät einrichten: ${organization}`,
    hello: (name: string) => `Guten Tag ${name},`,
    text: "dieser Link richtet ein Telefon, ein Tablet oder einen Computer mit Ihren Konten ein:",
    once: (until: string) => `Öffnen Sie ihn auf dem Gerät selbst. Er funktioniert einmal, bis ${until}.`,
    secret: "Geben Sie den Link nicht weiter: Wer ihn öffnet, ist als Sie angemeldet.",
    stranger: "Sie haben diese Mail nicht erwartet? Dann beachten Sie sie nicht und sagen Sie es Ihrem Administrator."
  }
})

export const linkMail = ({ expiresAt, language, link, name, organization }: LinkMail) => {
  const t = words[language]
  const until = expiresAt.toLocaleString(formatLocales[language], {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC"
  })
  return {
    subject: t.subject(organization),
    text: [t.hello(oneLine(name)), "", t.text, "", link, "", t.once(`${until} UTC`), t.secret, "", t.stranger, ""].join(
      "\n"
    )
  }
}

/** A name without line breaks, so that it cannot add lines to the mail. */
const oneLine = (name: string): string => name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim()
