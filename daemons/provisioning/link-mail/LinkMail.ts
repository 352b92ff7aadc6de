/** The mail with a provisioning link. Plain text, so that nothing in it hides where the link leads. */
import type { Brand } from "#core/config/BrandSettings.ts"
import { brandSigned } from "#core/html/Brand.ts"
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { momentIn } from "#core/words/TimeZone.ts"

export interface LinkMail {
  readonly language: LanguageCode
  readonly name: string
  readonly link: string
  readonly organization: string
  readonly expiresAt: Date
  /** Of the user's account; null: not known, then the mail says UTC. */
  readonly timeZone: string | null
  /** Default: the present one. */
  readonly brand?: Brand
}

const words = shippedTexts("provisioning.link-mail", {
  en: {
    subject: "Set up your device: {organization}",
    hello: "Hello {name},",
    text: "this link sets up a phone, a tablet or a computer with your accounts:",
    once: "Open it on the device itself. It works once, until {until}.",
    secret: "Do not pass the link on: whoever opens it is signed in as you.",
    stranger: "You did not expect this mail? Then ignore it and tell your administrator."
  },
  de: {
    subject: "Ihr Gerät einrichten: {organization}",
    hello: "Guten Tag {name},",
    text: "dieser Link richtet ein Telefon, ein Tablet oder einen Computer mit Ihren Konten ein:",
    once: "Öffnen Sie ihn auf dem Gerät selbst. Er funktioniert einmal, bis {until}.",
    secret: "Geben Sie den Link nicht weiter: Wer ihn öffnet, ist als Sie angemeldet.",
    stranger: "Sie haben diese Mail nicht erwartet? Dann beachten Sie sie nicht und sagen Sie es Ihrem Administrator."
  }
})

export const linkMail = ({ brand, expiresAt, language, link, name, organization, timeZone }: LinkMail) => {
  const t = words(language)
  const until = momentIn(expiresAt, language, timeZone)
  return {
    subject: t.subject({ organization }),
    text: brandSigned(
      [
        t.hello({ name: oneLine(name) }),
        "",
        t.text,
        "",
        link,
        "",
        t.once({ until }),
        t.secret,
        "",
        t.stranger,
        ""
      ].join("\n"),
      brand
    )
  }
}

/** A name without line breaks, so that it cannot add lines to the mail. */
const oneLine = (name: string): string => name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim()
