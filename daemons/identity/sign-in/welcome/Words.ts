/** Texts of the welcome page. Pure. */
import { type Catalogue, type Language, languageFrom } from "#core/words/Language.ts"
import { maxPassword, minPassword, type PasswordRule, rules } from "#core/password/PasswordRules.ts"

export interface Words {
  readonly lang: Language
  readonly title: string
  readonly intro: string
  readonly rules: string
  /** Messages for refused passwords, by rule. */
  readonly broken: Readonly<Record<PasswordRule, string>>
  readonly password: string
  readonly repeat: string
  readonly show: string
  readonly submit: string
  readonly working: string
  readonly differ: string
  readonly noToken: string
  readonly badLink: string
  readonly failed: string
  /** Message when the account already has a password. */
  readonly hasPassword: string
  readonly done: string
  readonly signedIn: string
  readonly next: ReadonlyArray<string>
  readonly console: string
  readonly docs: string
  readonly noScript: string
}

const english: Words = {
  lang: "en",
  title: "Welcome to Signalbox",
  intro: "This link signs you in once. Set the password with which you will sign in from now on.",
  rules:
    `At least ${minPassword} and at most ${maxPassword} characters. A few words in a row are a good choice. ` +
    "Your e-mail address and common passwords are refused.",
  broken: rules,
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
  docs: "API documentation",
  noScript: "This page requires JavaScript, so that the token of the link is not sent as part of an address."
}

const german: Words = {
  lang: "de",
  title: "Willkommen bei Signalbox",
  intro: "Dieser Link meldet Sie einmal an. Legen Sie das Passwort fest, mit dem Sie sich von nun an anmelden.",
  rules:
    `Mindestens ${minPassword} und höchstens ${maxPassword} Zeichen. ` +
    "Ein paar Wörter hintereinander sind eine gute Wahl. " +
    "Ihre E-Mail-Adresse und häufige Passwörter werden abgelehnt.",
  broken: {
    password_too_short:
      `Verwenden Sie mindestens ${minPassword} Zeichen; ` + "ein paar Wörter hintereinander sind leicht zu merken.",
    password_too_long: `Verwenden Sie höchstens ${maxPassword} Zeichen.`,
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
  hasPassword:
    "Dieses Konto hat bereits ein Passwort. Melden Sie sich damit an, oder bitten Sie um einen Link zum Zurücksetzen.",
  failed: "Die Anfrage ist fehlgeschlagen. Versuchen Sie es gleich noch einmal.",
  done: "Das Passwort ist festgelegt für",
  signedIn: "Sie sind angemeldet als",
  next: [
    "Melden Sie sich von nun an mit Ihrer E-Mail-Adresse und diesem Passwort an.",
    "Richten Sie einen zweiten Faktor ein, damit das Passwort allein nicht zum Anmelden genügt.",
    "Dieser Link gilt nicht mehr. Sie können diese Seite schließen."
  ],
  console: "Zur Konsole",
  docs: "API-Dokumentation",
  noScript: "Diese Seite braucht JavaScript, damit der Schlüssel des Links nicht als Teil einer Adresse gesendet wird."
}

const words: Catalogue<Words> = { en: english, de: german }

/** The words in the language that the browser asks for. */
export const wordsFor = (acceptLanguage: string | undefined): Words => words[languageFrom(undefined, acceptLanguage)]
