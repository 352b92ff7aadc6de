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
  intro: "This link signs you in once. Choose the password that you will sign in with from now on.",
  rules: `At least ${minPassword} and at most ${maxPassword} characters. A few words in a row are good; your e-mail address and what is guessed first are refused.`,
  broken: rules,
  password: "New password",
  repeat: "The same again",
  show: "Show what I type",
  submit: "Set password",
  working: "One moment…",
  differ: "The two passwords differ.",
  noToken: "Nothing stands after the # of this address. Open the whole link that you were given.",
  badLink: "This link was used, has expired or was replaced. Ask for a new one.",
  hasPassword: "This account has a password already. Sign in with it, or ask for a link to reset it.",
  failed: "That did not work. Try again in a moment.",
  done: "The password is set for",
  signedIn: "You are signed in as",
  next: [
    "Sign in with your e-mail address and this password from now on.",
    "Set up a second factor, so that the password alone does not open the door.",
    "This link is used up; you may close this page."
  ],
  console: "Go to the console",
  docs: "What there is to call",
  noScript: "This page needs JavaScript: the link's token must not be sent to a server as part of its address."
}

const german: Words = {
  lang: "de",
  title: "Willkommen bei Signalbox",
  intro: "Dieser Link meldet Sie einmal an. Wählen Sie das Passwort, mit dem Sie sich von nun an anmelden.",
  rules: `Mindestens ${minPassword} und höchstens ${maxPassword} Zeichen. Ein paar Wörter hintereinander sind gut; Ihre E-Mail-Adresse und was zuerst geraten wird, wird abgelehnt.`,
  broken: {
    password_too_short: `Nehmen Sie mindestens ${minPassword} Zeichen; ein paar Wörter hintereinander sind leicht zu merken.`,
    password_too_long: `Nehmen Sie höchstens ${maxPassword} Zeichen.`,
    password_control_characters: "Lassen Sie Steuerzeichen weg; auch Tabulatoren und Zeilenumbrüche sind welche.",
    password_one_character: "Nehmen Sie mehr als ein Zeichen, das sich wiederholt.",
    password_is_address: "Nehmen Sie etwas anderes als Ihre E-Mail-Adresse.",
    password_too_common: "Wählen Sie ein anderes Passwort: dieses gehört zu denen, die zuerst geraten werden."
  },
  password: "Neues Passwort",
  repeat: "Noch einmal dasselbe",
  show: "Eingabe anzeigen",
  submit: "Passwort setzen",
  working: "Einen Moment…",
  differ: "Die beiden Passwörter sind verschieden.",
  noToken: "Nach dem # dieser Adresse steht nichts. Öffnen Sie den ganzen Link, den Sie bekommen haben.",
  badLink: "Dieser Link wurde benutzt, ist abgelaufen oder wurde ersetzt. Bitten Sie um einen neuen.",
  hasPassword:
    "Dieses Konto hat schon ein Passwort. Melden Sie sich damit an, oder bitten Sie um einen Link zum Zurücksetzen.",
  failed: "Das hat nicht geklappt. Versuchen Sie es gleich noch einmal.",
  done: "Das Passwort ist gesetzt für",
  signedIn: "Sie sind angemeldet als",
  next: [
    "Melden Sie sich von nun an mit Ihrer E-Mail-Adresse und diesem Passwort an.",
    "Richten Sie einen zweiten Faktor ein, damit das Passwort allein die Tür nicht öffnet.",
    "Dieser Link ist verbraucht; Sie können diese Seite schließen."
  ],
  console: "Zur Konsole",
  docs: "Was es aufzurufen gibt",
  noScript:
    "Diese Seite braucht JavaScript: der Schlüssel im Link darf nicht als Teil der Adresse an einen Server gehen."
}

const words: Catalogue<Words> = { en: english, de: german }

/** The words in the language that the browser asks for. */
export const wordsFor = (acceptLanguage: string | undefined): Words => words[languageFrom(undefined, acceptLanguage)]
