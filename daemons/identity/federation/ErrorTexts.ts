/** Texts of the error page, in the supported languages. Pure. */
import { type Catalogue, type Language } from "#core/words/Language.ts"
import type { Reason } from "./FederationRefused.ts"

interface Text {
  readonly title: string
  readonly text: string
}

interface Outcome {
  readonly status: number
  /** Whether a retry with the same provider may succeed. */
  readonly mayRetry: boolean
}

type ErrorTexts = Catalogue<Text> & Outcome

const stale: ErrorTexts = {
  status: 400,
  mayRetry: true,
  en: {
    title: "This sign-in is no longer valid",
    text:
      "The sign-in was already completed, took longer than ten minutes, or was not started here. " +
      "Please start again."
  },
  de: {
    title: "Diese Anmeldung gilt nicht mehr",
    text:
      "Die Anmeldung wurde schon abgeschlossen, hat länger als zehn Minuten gedauert oder wurde nicht hier begonnen. " +
      "Bitte beginnen Sie noch einmal."
  }
}

const untrusted: ErrorTexts = {
  status: 502,
  mayRetry: true,
  en: {
    title: "The answer could not be trusted",
    text:
      "The answer of the other provider does not match this sign-in, so you were not signed in. " +
      "If this happens again, please tell us."
  },
  de: {
    title: "Die Antwort war nicht vertrauenswürdig",
    text:
      "Die Antwort des anderen Anbieters passt nicht zu dieser Anmeldung, deshalb wurden Sie nicht angemeldet. " +
      "Wenn das wieder geschieht, sagen Sie uns bitte Bescheid."
  }
}

const away: ErrorTexts = {
  status: 503,
  mayRetry: true,
  en: {
    title: "The other provider does not answer",
    text: "Please try again in a few minutes, or sign in with your password."
  },
  de: {
    title: "Der andere Anbieter antwortet nicht",
    text: "Bitte versuchen Sie es in einigen Minuten wieder, oder melden Sie sich mit Ihrem Passwort an."
  }
}

const errorTexts: Readonly<Record<Reason, ErrorTexts>> = {
  state: stale,
  expired: stale,
  provider: stale,
  cookie: {
    status: 400,
    mayRetry: true,
    en: {
      title: "This sign-in was started in another browser",
      text:
        "A sign-in must end in the browser in which it started, and the browser must accept cookies. " +
        "Please start again here."
    },
    de: {
      title: "Diese Anmeldung wurde in einem anderen Browser begonnen",
      text:
        "Eine Anmeldung muss in dem Browser enden, in dem sie begonnen hat, und der Browser muss Cookies annehmen. " +
        "Bitte beginnen Sie hier noch einmal."
    }
  },
  issuer: untrusted,
  nonce: untrusted,
  id_token: untrusted,
  code: untrusted,
  denied: {
    status: 403,
    mayRetry: true,
    en: {
      title: "You were not signed in",
      text:
        "The sign-in was cancelled or not permitted at the other provider. " +
        "Try again, or sign in with your password."
    },
    de: {
      title: "Sie wurden nicht angemeldet",
      text:
        "Die Anmeldung wurde beim anderen Anbieter abgebrochen oder nicht erlaubt. " +
        "Versuchen Sie es noch einmal, oder melden Sie sich mit Ihrem Passwort an."
    }
  },
  provider_error: {
    status: 502,
    mayRetry: true,
    en: {
      title: "The other provider reports an error",
      text: "The provider could not sign you in. Please try again later, or sign in with your password."
    },
    de: {
      title: "Der andere Anbieter meldet einen Fehler",
      text:
        "Der Anbieter konnte Sie nicht anmelden. " +
        "Bitte versuchen Sie es später wieder, oder melden Sie sich mit Ihrem Passwort an."
    }
  },
  away,
  unknown_account: {
    status: 403,
    mayRetry: false,
    en: {
      title: "You have no account here",
      text: "No account here is connected with your account at the other provider. Please ask your administrator."
    },
    de: {
      title: "Sie haben hier kein Konto",
      text:
        "Mit Ihrem Konto beim anderen Anbieter ist hier kein Konto verbunden. " +
        "Bitte wenden Sie sich an Ihre Administration."
    }
  },
  connect_first: {
    status: 403,
    mayRetry: false,
    en: {
      title: "Connect your account first",
      text:
        "For this account you must connect the other provider yourself: sign in as usual, then connect the " +
        "provider in your settings."
    },
    de: {
      title: "Verbinden Sie zuerst Ihr Konto",
      text:
        "Bei diesem Konto müssen Sie den anderen Anbieter selbst verbinden: " +
        "Melden Sie sich wie gewohnt an und verbinden Sie dann den Anbieter in Ihren Einstellungen."
    }
  },
  taken: {
    status: 409,
    mayRetry: false,
    en: {
      title: "Already connected",
      text:
        "Your account is connected with another user of this provider, or your user at this provider is connected " +
        "with another account. Remove that connection first."
    },
    de: {
      title: "Bereits verbunden",
      text:
        "Ihr Konto ist mit einer anderen Person bei diesem Anbieter verbunden, oder Ihr Konto beim Anbieter ist " +
        "hier mit einem anderen Konto verbunden. Lösen Sie zuerst diese Verbindung."
    }
  },
  signed_out: {
    status: 403,
    mayRetry: false,
    en: { title: "You are no longer signed in", text: "The provider was not connected. Sign in and start again." },
    de: {
      title: "Sie sind nicht mehr angemeldet",
      text: "Der Anbieter wurde nicht verbunden. Melden Sie sich an und beginnen Sie noch einmal."
    }
  },
  too_many: {
    status: 429,
    mayRetry: true,
    en: {
      title: "Too many sign-ins at once",
      text: "Too many sign-ins were started from your network. Please try again in a few minutes."
    },
    de: {
      title: "Zu viele Anmeldungen auf einmal",
      text: "Aus Ihrem Netz wurden zu viele Anmeldungen begonnen. Bitte versuchen Sie es in einigen Minuten wieder."
    }
  },
  unavailable: {
    status: 503,
    mayRetry: true,
    en: { title: "Not available at the moment", text: "Please try again in a moment." },
    de: { title: "Zurzeit nicht verfügbar", text: "Bitte versuchen Sie es gleich noch einmal." }
  },
  unknown_provider: {
    status: 404,
    mayRetry: false,
    en: {
      title: "There is no such provider",
      text: "You cannot sign in through this provider here. Please choose another way to sign in."
    },
    de: {
      title: "Diesen Anbieter gibt es nicht",
      text: "Über diesen Anbieter können Sie sich hier nicht anmelden. Bitte wählen Sie eine andere Anmeldung."
    }
  }
}

/** HTTP status and text for a reason. */
export const textOf = (reason: Reason, language: Language): Text & Outcome => {
  const { mayRetry, status, [language]: text } = errorTexts[reason]
  return { ...text, status, mayRetry }
}
