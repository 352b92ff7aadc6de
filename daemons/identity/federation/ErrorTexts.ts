/** Texts of the error page, in the supported languages. Pure. */
import { type Catalogue, type Language } from "#core/words/Language.ts"
import type { Reason } from "./FederationRefused.ts"

interface Text {
  readonly title: string
  readonly text: string
}

type Told = Catalogue<Text> & { readonly status: number; readonly again: boolean }

const stale: Told = {
  status: 400,
  again: true,
  en: {
    title: "This sign-in is no longer valid",
    text: "It was used already, took longer than ten minutes, or was not begun here. Please start again."
  },
  de: {
    title: "Diese Anmeldung gilt nicht mehr",
    text: "Sie wurde schon benutzt, hat länger als zehn Minuten gedauert oder wurde nicht hier begonnen. Bitte beginnen Sie noch einmal."
  }
}

const untrusted: Told = {
  status: 502,
  again: true,
  en: {
    title: "The answer could not be trusted",
    text: "What the other provider answered does not fit this sign-in. Nobody was signed in. If it happens again, tell us."
  },
  de: {
    title: "Die Antwort war nicht vertrauenswürdig",
    text: "Was der andere Anbieter geantwortet hat, passt nicht zu dieser Anmeldung. Niemand wurde angemeldet. Geschieht es wieder, sagen Sie uns Bescheid."
  }
}

const away: Told = {
  status: 503,
  again: true,
  en: {
    title: "The other provider does not answer",
    text: "Please try again in a few minutes, or sign in with your password."
  },
  de: {
    title: "Der andere Anbieter antwortet nicht",
    text: "Bitte versuchen Sie es in einigen Minuten wieder, oder melden Sie sich mit Ihrem Passwort an."
  }
}

const told: Readonly<Record<Reason, Told>> = {
  state: stale,
  expired: stale,
  provider: stale,
  cookie: {
    status: 400,
    again: true,
    en: {
      title: "This sign-in was begun elsewhere",
      text: "It has to end in the browser in which it began, and that browser has to accept cookies. Please start again here."
    },
    de: {
      title: "Diese Anmeldung wurde anderswo begonnen",
      text: "Sie muss in dem Browser enden, in dem sie begann, und dieser muss Cookies annehmen. Bitte beginnen Sie hier noch einmal."
    }
  },
  issuer: untrusted,
  nonce: untrusted,
  id_token: untrusted,
  code: untrusted,
  denied: {
    status: 403,
    again: true,
    en: {
      title: "You were not signed in",
      text: "The sign-in was cancelled or not allowed at the other provider. You can try again, or sign in with your password."
    },
    de: {
      title: "Sie wurden nicht angemeldet",
      text: "Die Anmeldung wurde beim anderen Anbieter abgebrochen oder nicht erlaubt. Sie können es noch einmal versuchen oder sich mit Ihrem Passwort anmelden."
    }
  },
  provider_error: {
    status: 502,
    again: true,
    en: {
      title: "The other provider reports an error",
      text: "It could not sign you in. Please try again later, or sign in with your password."
    },
    de: {
      title: "Der andere Anbieter meldet einen Fehler",
      text: "Er konnte Sie nicht anmelden. Bitte versuchen Sie es später wieder, oder melden Sie sich mit Ihrem Passwort an."
    }
  },
  away,
  unknown_account: {
    status: 403,
    again: false,
    en: {
      title: "There is no account for you here",
      text: "The other provider knows you, but no account here is connected with it. Ask whoever looks after your account."
    },
    de: {
      title: "Hier gibt es kein Konto für Sie",
      text: "Der andere Anbieter kennt Sie, doch kein Konto hier ist mit ihm verbunden. Fragen Sie, wer Ihr Konto betreut."
    }
  },
  connect_first: {
    status: 403,
    again: false,
    en: {
      title: "Connect your account first",
      text: "For this account it takes your own word: sign in as usual, then connect the other provider in your settings."
    },
    de: {
      title: "Verbinden Sie zuerst Ihr Konto",
      text: "Für dieses Konto braucht es Ihr eigenes Wort: Melden Sie sich wie gewohnt an und verbinden Sie dann den anderen Anbieter in Ihren Einstellungen."
    }
  },
  taken: {
    status: 409,
    again: false,
    en: {
      title: "This is connected already",
      text: "Your account is connected with somebody else at this provider, or this sign-in with another account. Remove that connection first."
    },
    de: {
      title: "Das ist schon verbunden",
      text: "Ihr Konto ist mit jemand anderem bei diesem Anbieter verbunden, oder diese Anmeldung mit einem anderen Konto. Lösen Sie zuerst diese Verbindung."
    }
  },
  signed_out: {
    status: 403,
    again: false,
    en: { title: "You are not signed in any more", text: "Nothing was connected. Sign in and begin again." },
    de: {
      title: "Sie sind nicht mehr angemeldet",
      text: "Es wurde nichts verbunden. Melden Sie sich an und beginnen Sie noch einmal."
    }
  },
  too_many: {
    status: 429,
    again: true,
    en: {
      title: "Too many sign-ins at once",
      text: "From your network very many sign-ins were begun. Please try again in a few minutes."
    },
    de: {
      title: "Zu viele Anmeldungen auf einmal",
      text: "Aus Ihrem Netz wurden sehr viele Anmeldungen begonnen. Bitte versuchen Sie es in einigen Minuten wieder."
    }
  },
  unavailable: {
    status: 503,
    again: true,
    en: { title: "Not available right now", text: "Please try again in a moment." },
    de: { title: "Zur Zeit nicht verfügbar", text: "Bitte versuchen Sie es gleich noch einmal." }
  },
  unknown_provider: {
    status: 404,
    again: false,
    en: { title: "There is no such provider", text: "This way of signing in is not, or no longer, offered here." },
    de: {
      title: "Diesen Anbieter gibt es nicht",
      text: "Diese Art der Anmeldung wird hier nicht oder nicht mehr angeboten."
    }
  }
}

/** HTTP status and text for a reason. `again`: a retry with the same provider may succeed. */
export const textOf = (
  reason: Reason,
  language: Language
): Text & { readonly status: number; readonly again: boolean } => {
  const { again, status, [language]: words } = told[reason]
  return { ...words, status, again }
}
