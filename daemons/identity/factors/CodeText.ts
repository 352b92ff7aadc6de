/**
 * Text of the message that contains a code. The code comes first, so that a notification shows it. The rest says
 * who requested the code, and to keep it secret. The e-mail address is the only user-chosen text, because anybody may
 * enter any chat.
 */
import { languageOfAccount } from "#core/words/ChooseLanguage.ts"
import { long, shippedTexts } from "#core/words/ShippedTexts.ts"
import { Duration, Redacted } from "effect"
import { lifetime } from "./OneTimeCode.ts"
import type { Purpose } from "./OneTimeCodeStore.ts"

export interface CodeTextOptions {
  readonly code: Redacted.Redacted
  readonly purpose: Purpose
  /** Name of this installation. */
  readonly issuer: string
  /** Address of the account that requested the code. */
  readonly email: string
  /** Locale of the account. */
  readonly locale: string
}

const minutes = Duration.toMinutes(lifetime)

const words = shippedTexts("identity.codes", {
  en: {
    login: long(
      "{code} is the code to sign in as {email} at {issuer}. It is valid for {minutes} minutes. ",
      "Do not give it to anyone, not even to us. ",
      "If you are not signing in now, someone knows your password: change it."
    ),
    bind: long(
      "{code} is the code with which {email} at {issuer} connects this chat for sign-in codes. ",
      "It is valid for {minutes} minutes. Do not give it to anyone, not even to us. ",
      "If you did not request this, ignore this message."
    )
  },
  de: {
    login: long(
      "{code} ist der Code zum Anmelden als {email} bei {issuer}. Er gilt {minutes} Minuten. ",
      "Geben Sie ihn niemandem, auch uns nicht. ",
      "Wenn Sie sich gerade nicht anmelden, kennt jemand Ihr Passwort: ändern Sie es."
    ),
    bind: long(
      "{code} ist der Code, mit dem {email} bei {issuer} diesen Chat für Anmeldecodes verbindet. ",
      "Er gilt {minutes} Minuten. Geben Sie ihn niemandem, auch uns nicht. ",
      "Wenn Sie das nicht angefordert haben, ignorieren Sie diese Nachricht."
    )
  }
})

export const codeText = ({ code, email, issuer, locale, purpose }: CodeTextOptions): Redacted.Redacted =>
  Redacted.make(words(languageOfAccount(locale))[purpose]({ code: Redacted.value(code), issuer, email, minutes }), {
    label: "message with a code"
  })
