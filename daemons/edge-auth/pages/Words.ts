/** What the pages say, in German and English. Pure. */
import type { Language } from "#core/http/Language.ts"

export type { Language }

const en = {
  language: "Language", login: "Sign in", register: "Register", account: "Your account", admin: "Administration", email: "E-mail address", password: "Password", name: "Name",
  to: (host: string) => `To go on to ${host}, please sign in.`, noAccount: "No account yet?", haveAccount: "Have an account?", passwordHint: "At least 10 characters, at most 72 bytes.",
  refused: "E-mail address or password are not right, or the account is not active.", tooMany: (minutes: number) => `Too many failed tries. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`, busy: "Many people are signing in right now. Try again in a moment.", stale: "This form has been open for too long. Please send it again.",
  waits: "Thank you. If this address has no account yet, it has one now, and an administrator has to admit you.", admitted: "You are the first, and so the administrator. Please sign in.", invalidEmail: "This is no e-mail address.", invalidName: "Please say your name, in at most 100 characters.", invalidPassword: "Use 10 characters or more, and at most 72 bytes.",
  signedOut: "You are signed out.", signOut: "Sign out", everywhere: "Sign out everywhere", sessions: "Where you are signed in", allSessions: "Sessions", begun: "since", until: "until", from: "from", here: "here", end: "End", users: "Users", routes: "Protected places", coverage: "What is really protected",
  status: { pending: "waiting", active: "active", blocked: "blocked" }, role: { user: "user", admin: "admin" }, approve: "Admit", block: "Block", unblock: "Unblock", makeAdmin: "Make admin", makeUser: "Make user", lastAdmin: "This is the last administrator.",
  host: "Host", path: "Path", description: "Description", needs: "Needs", state: "State", on: "on", off: "off", turnOn: "Turn on", turnOff: "Turn off", remove: "Remove", add: "Add", routeTaken: "This place is listed already.", invalidRoute: "Name a host such as app.example.org and a path that begins with /.",
  protectedState: "protected", noRoute: "asked about, but no route is enabled: open", noProxy: "a route is enabled, but no proxy has asked about it: perhaps open", neverSeen: "never", lastSeen: "last asked", denied: "no route: only for those who are signed in", otherDomain: (host: string) => `${host} is under another domain, and cannot be reached by this sign-in.`, nobody: "none", forbidden: "Only administrators may see this.", of: (what: string, name: string) => `${what}: ${name}`
}

const de: typeof en = {
  language: "Sprache", login: "Anmelden", register: "Registrieren", account: "Ihr Konto", admin: "Verwaltung", email: "E-Mail-Adresse", password: "Passwort", name: "Name",
  to: (host: string) => `Bitte anmelden, um zu ${host} weiterzugehen.`, noAccount: "Noch kein Konto?", haveAccount: "Schon ein Konto?", passwordHint: "Mindestens 10 Zeichen, höchstens 72 Bytes.",
  refused: "E-Mail-Adresse oder Passwort stimmen nicht, oder das Konto ist nicht aktiv.", tooMany: (minutes: number) => `Zu viele Fehlversuche. Bitte in ${minutes} ${minutes === 1 ? "Minute" : "Minuten"} noch einmal versuchen.`, busy: "Gerade melden sich viele an. Bitte gleich noch einmal versuchen.", stale: "Dieses Formular war zu lange offen. Bitte noch einmal absenden.",
  waits: "Danke. Wenn diese Adresse noch kein Konto hatte, hat sie jetzt eines, und jemand aus der Verwaltung muss Sie zulassen.", admitted: "Sie sind die erste Person hier und verwalten alles. Bitte anmelden.", invalidEmail: "Das ist keine E-Mail-Adresse.", invalidName: "Bitte einen Namen angeben, höchstens 100 Zeichen.", invalidPassword: "Bitte 10 Zeichen oder mehr und höchstens 72 Bytes.",
  signedOut: "Sie sind abgemeldet.", signOut: "Abmelden", everywhere: "Überall abmelden", sessions: "Wo Sie angemeldet sind", allSessions: "Sitzungen", begun: "seit", until: "bis", from: "von", here: "hier", end: "Beenden", users: "Personen", routes: "Geschützte Orte", coverage: "Was wirklich geschützt ist",
  status: { pending: "wartet", active: "aktiv", blocked: "gesperrt" }, role: { user: "Nutzer", admin: "Verwaltung" }, approve: "Zulassen", block: "Sperren", unblock: "Entsperren", makeAdmin: "Zur Verwaltung", makeUser: "Nur Nutzer", lastAdmin: "Das ist die letzte Person der Verwaltung.",
  host: "Host", path: "Pfad", description: "Beschreibung", needs: "Braucht", state: "Stand", on: "an", off: "aus", turnOn: "Einschalten", turnOff: "Abschalten", remove: "Entfernen", add: "Hinzufügen", routeTaken: "Dieser Ort steht schon in der Liste.", invalidRoute: "Bitte einen Host wie app.example.org und einen Pfad, der mit / beginnt.",
  protectedState: "geschützt", noRoute: "angefragt, aber keine Regel ist an: offen", noProxy: "eine Regel ist an, aber kein Proxy hat angefragt: vielleicht offen", neverSeen: "nie", lastSeen: "zuletzt angefragt", denied: "keine Regel: nur für Angemeldete", otherDomain: (host: string) => `${host} liegt unter einer anderen Domain und ist mit dieser Anmeldung nicht erreichbar.`, nobody: "keine", forbidden: "Das ist nur für die Verwaltung.", of: (what: string, name: string) => `${what}: ${name}`
}

export type Words = typeof en
export const words: Readonly<Record<Language, Words>> = { de, en }
