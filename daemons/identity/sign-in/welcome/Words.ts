/** Texts of the welcome page. */
import { maxPassword, minPassword, type PasswordRule } from "#core/password/PasswordRules.ts"
import { chooseLanguage } from "#core/words/ChooseLanguage.ts"
import { long, shippedTexts } from "#core/words/ShippedTexts.ts"

const words = shippedTexts("identity.welcome", {
  en: {
    title: "Welcome to Signalbox",
    intro: "This link signs you in once. Set the password with which you will sign in from now on.",
    rules: long(
      "At least {min} and at most {max} characters. A few words in a row are a good choice. ",
      "Your e-mail address and common passwords are refused."
    ),
    broken: {
      password_too_short: "Use at least {min} characters; a few words in a row are easy to remember.",
      password_too_long: "Use at most {max} characters.",
      password_control_characters: "Do not use control characters, including tabs and line breaks.",
      password_one_character: "Use more than one different character.",
      password_is_address: "Do not use your e-mail address.",
      password_too_common: "Choose another password: this one is among the most common and is guessed first."
    },
    password: "New password",
    repeat: "Repeat the password",
    show: "Show the password",
    submit: "Set password",
    working: "One moment…",
    differ: "The passwords differ. Type the same password twice.",
    noToken: "The address of this page is incomplete. Open the whole link that you received.",
    badLink: "This link was used or replaced, or has expired. Ask for a new link.",
    hasPassword: "This account already has a password. Sign in with it, or ask for a link to reset it.",
    failed: "The request failed. Try again in a moment.",
    done: "The password is set for",
    signedIn: "You are signed in as",
    next: [
      "Sign in with your e-mail address and this password from now on.",
      "Set up a second factor, so that the password alone is not enough to sign in.",
      "This link is no longer valid. You can close this page."
    ],
    console: "Go to the console",
    guide: "Guide",
    docs: "API documentation",
    noScript: "This page requires JavaScript, so that the token of the link is not sent as part of an address."
  },
  de: {
    title: "Willkommen bei Signalbox",
    intro: "Dieser Link meldet Sie einmal an. Legen Sie das Passwort fest, mit dem Sie sich von nun an anmelden.",
    rules: long(
      "Mindestens {min} und höchstens {max} Zeichen. Ein paar Wörter hintereinander sind eine gute Wahl. ",
      "Ihre E-Mail-Adresse und häufige Passwörter werden abgelehnt."
    ),
    broken: {
      password_too_short: "Verwenden Sie mindestens {min} Zeichen; einige Wörter hintereinander sind leicht zu merken.",
      password_too_long: "Verwenden Sie höchstens {max} Zeichen.",
      password_control_characters: "Verwenden Sie keine Steuerzeichen, auch keine Tabulatoren und Zeilenumbrüche.",
      password_one_character: "Wiederholen Sie nicht nur ein einziges Zeichen.",
      password_is_address: "Verwenden Sie nicht Ihre E-Mail-Adresse.",
      password_too_common: "Wählen Sie ein anderes Passwort: dieses gehört zu den häufigsten und wird zuerst geraten."
    },
    password: "Neues Passwort",
    repeat: "Passwort wiederholen",
    show: "Passwort anzeigen",
    submit: "Passwort festlegen",
    working: "Einen Moment…",
    differ: "Die Passwörter sind verschieden. Geben Sie zweimal dasselbe Passwort ein.",
    noToken: "Die Adresse dieser Seite ist unvollständig. Öffnen Sie den ganzen Link, den Sie bekommen haben.",
    badLink: "Dieser Link wurde benutzt oder ersetzt oder ist abgelaufen. Bitten Sie um einen neuen Link.",
    hasPassword: long(
      "Dieses Konto hat bereits ein Passwort. Melden Sie sich damit an, ",
      "oder bitten Sie um einen Link zum Zurücksetzen."
    ),
    failed: "Die Anfrage ist fehlgeschlagen. Versuchen Sie es gleich noch einmal.",
    done: "Das Passwort ist festgelegt für",
    signedIn: "Sie sind angemeldet als",
    next: [
      "Melden Sie sich von nun an mit Ihrer E-Mail-Adresse und diesem Passwort an.",
      "Richten Sie einen zweiten Faktor ein, damit das Passwort allein nicht zum Anmelden genügt.",
      "Dieser Link gilt nicht mehr. Sie können diese Seite schließen."
    ],
    console: "Zur Konsole",
    guide: "Handbuch (auf Englisch)",
    docs: "API-Dokumentation",
    noScript:
      "Diese Seite braucht JavaScript, damit der Schlüssel des Links nicht als Teil einer Adresse gesendet wird."
  }
})

const limits = { min: minPassword, max: maxPassword }

/** The words in the language that the browser asks for, with its code. */
export const wordsFor = (acceptLanguage: string | undefined) => {
  const lang = chooseLanguage(undefined, acceptLanguage)
  const { broken, rules, ...rest } = words(lang)
  return {
    ...rest,
    lang,
    rules: rules(limits),
    /** Messages for refused passwords, by rule. */
    broken: {
      ...broken,
      password_too_short: broken.password_too_short(limits),
      password_too_long: broken.password_too_long(limits)
    } satisfies Record<PasswordRule, string>
  }
}

export type Words = ReturnType<typeof wordsFor>
