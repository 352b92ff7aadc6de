/** Texts of the error page. */
import { long, shippedTexts } from "#core/words/ShippedTexts.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import type { Reason } from "./FederationRefused.ts"

const words = shippedTexts("identity.federation", {
  en: {
    stale: {
      title: "This sign-in is no longer valid",
      text: long(
        "The sign-in was already completed, took longer than ten minutes, or was not started here. ",
        "Please start again."
      )
    },
    untrusted: {
      title: "The answer could not be trusted",
      text: long(
        "The answer of the other provider does not match this sign-in, so you were not signed in. ",
        "If this happens again, please tell us."
      )
    },
    away: {
      title: "The other provider does not answer",
      text: "Please try again in a few minutes, or sign in with your password."
    },
    cookie: {
      title: "This sign-in was started in another browser",
      text: long(
        "A sign-in must end in the browser in which it started, and the browser must accept cookies. ",
        "Please start again here."
      )
    },
    denied: {
      title: "You were not signed in",
      text: long(
        "The sign-in was cancelled or not permitted at the other provider. ",
        "Try again, or sign in with your password."
      )
    },
    provider_error: {
      title: "The other provider reports an error",
      text: "The provider could not sign you in. Please try again later, or sign in with your password."
    },
    unknown_account: {
      title: "You have no account here",
      text: "No account here is connected with your account at the other provider. Please ask your administrator."
    },
    connect_first: {
      title: "Connect your account first",
      text: long(
        "For this account you must connect the other provider yourself: sign in as usual, then connect the ",
        "provider in your settings."
      )
    },
    taken: {
      title: "Already connected",
      text: long(
        "Your account is connected with another user of this provider, or your user at this provider is connected ",
        "with another account. Remove that connection first."
      )
    },
    signed_out: {
      title: "You are no longer signed in",
      text: "The provider was not connected. Sign in and start again."
    },
    too_many: {
      title: "Too many sign-ins at once",
      text: "Too many sign-ins were started from your network. Please try again in a few minutes."
    },
    unavailable: { title: "Not available at the moment", text: "Please try again in a moment." },
    unknown_provider: {
      title: "There is no such provider",
      text: "You cannot sign in through this provider here. Please choose another way to sign in."
    }
  },
  de: {
    stale: {
      title: "Diese Anmeldung gilt nicht mehr",
      text: long(
        "Die Anmeldung wurde schon abgeschlossen, hat länger als zehn Minuten gedauert ",
        "oder wurde nicht hier begonnen. Bitte beginnen Sie noch einmal."
      )
    },
    untrusted: {
      title: "Die Antwort war nicht vertrauenswürdig",
      text: long(
        "Die Antwort des anderen Anbieters passt nicht zu dieser Anmeldung, deshalb wurden Sie nicht angemeldet. ",
        "Wenn das wieder geschieht, sagen Sie uns bitte Bescheid."
      )
    },
    away: {
      title: "Der andere Anbieter antwortet nicht",
      text: "Bitte versuchen Sie es in einigen Minuten wieder, oder melden Sie sich mit Ihrem Passwort an."
    },
    cookie: {
      title: "Diese Anmeldung wurde in einem anderen Browser begonnen",
      text: long(
        "Eine Anmeldung muss in dem Browser enden, in dem sie begonnen hat, und der Browser muss Cookies annehmen. ",
        "Bitte beginnen Sie hier noch einmal."
      )
    },
    denied: {
      title: "Sie wurden nicht angemeldet",
      text: long(
        "Die Anmeldung wurde beim anderen Anbieter abgebrochen oder nicht erlaubt. ",
        "Versuchen Sie es noch einmal, oder melden Sie sich mit Ihrem Passwort an."
      )
    },
    provider_error: {
      title: "Der andere Anbieter meldet einen Fehler",
      text: long(
        "Der Anbieter konnte Sie nicht anmelden. ",
        "Bitte versuchen Sie es später wieder, oder melden Sie sich mit Ihrem Passwort an."
      )
    },
    unknown_account: {
      title: "Sie haben hier kein Konto",
      text: long(
        "Mit Ihrem Konto beim anderen Anbieter ist hier kein Konto verbunden. ",
        "Bitte wenden Sie sich an Ihre Administration."
      )
    },
    connect_first: {
      title: "Verbinden Sie zuerst Ihr Konto",
      text: long(
        "Bei diesem Konto müssen Sie den anderen Anbieter selbst verbinden: ",
        "Melden Sie sich wie gewohnt an und verbinden Sie dann den Anbieter in Ihren Einstellungen."
      )
    },
    taken: {
      title: "Bereits verbunden",
      text: long(
        "Ihr Konto ist mit einer anderen Person bei diesem Anbieter verbunden, oder Ihr Konto beim Anbieter ist ",
        "hier mit einem anderen Konto verbunden. Lösen Sie zuerst diese Verbindung."
      )
    },
    signed_out: {
      title: "Sie sind nicht mehr angemeldet",
      text: "Der Anbieter wurde nicht verbunden. Melden Sie sich an und beginnen Sie noch einmal."
    },
    too_many: {
      title: "Zu viele Anmeldungen auf einmal",
      text: "Aus Ihrem Netz wurden zu viele Anmeldungen begonnen. Bitte versuchen Sie es in einigen Minuten wieder."
    },
    unavailable: { title: "Zurzeit nicht verfügbar", text: "Bitte versuchen Sie es gleich noch einmal." },
    unknown_provider: {
      title: "Diesen Anbieter gibt es nicht",
      text: "Über diesen Anbieter können Sie sich hier nicht anmelden. Bitte wählen Sie eine andere Anmeldung."
    }
  }
})

interface Outcome {
  readonly status: number
  /** Whether a retry with the same provider may succeed. */
  readonly mayRetry: boolean
}

type Case = keyof ReturnType<typeof words>

const outcomes: Readonly<Record<Case, Outcome>> = {
  stale: { status: 400, mayRetry: true },
  untrusted: { status: 502, mayRetry: true },
  away: { status: 503, mayRetry: true },
  cookie: { status: 400, mayRetry: true },
  denied: { status: 403, mayRetry: true },
  provider_error: { status: 502, mayRetry: true },
  unknown_account: { status: 403, mayRetry: false },
  connect_first: { status: 403, mayRetry: false },
  taken: { status: 409, mayRetry: false },
  signed_out: { status: 403, mayRetry: false },
  too_many: { status: 429, mayRetry: true },
  unavailable: { status: 503, mayRetry: true },
  unknown_provider: { status: 404, mayRetry: false }
}

/** Reasons that share a text, which must not tell them apart. */
const shared: Readonly<Partial<Record<Reason, Case>>> = {
  state: "stale",
  expired: "stale",
  provider: "stale",
  issuer: "untrusted",
  nonce: "untrusted",
  id_token: "untrusted",
  code: "untrusted"
}

const isCase = (reason: Reason): reason is Reason & Case => reason in outcomes

/** HTTP status and text for a reason. */
export const textOf = (reason: Reason, language: LanguageCode) => {
  const found = shared[reason] ?? (isCase(reason) ? reason : "unavailable")
  return { ...words(language)[found], ...outcomes[found] }
}
