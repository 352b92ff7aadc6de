/** Details of this daemon's health report. Code states them in English; core finds them by that sentence. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("bank-fetcher.health", {
  en: {
    locked: "{count} accounts wait for their passphrase (keys/unlock)",
    stopped: "{count} accounts are stopped until a person looks at them",
    keysChanged: "{iban} waits for a person: the keys of the bank have changed",
    waitsForPassphrase: "{iban} waits for the passphrase of its keys since {at}",
    notFetched: "{iban} cannot be fetched since {at} ({count} attempts)",
    anybody: "anybody can record payments without a signature: set {variable}",
    accepted: "accepted {count} unsigned events from this machine: set {variable}",
    accepts: "accepts unsigned events from this machine: set {variable}"
  },
  de: {
    locked: "{count} Konten warten auf ihre Passphrase (keys/unlock)",
    stopped: "{count} Konten ruhen, bis jemand nach ihnen sieht",
    keysChanged: "{iban} wartet auf einen Menschen: Die Schlüssel der Bank haben sich geändert",
    waitsForPassphrase: "{iban} wartet seit {at} auf die Passphrase der Schlüssel",
    notFetched: "{iban} lässt sich seit {at} nicht abrufen ({count} Versuche)",
    anybody: "jeder kann Zahlungen ohne Signatur melden: {variable} setzen",
    accepted: "{count} Ereignisse ohne Signatur von dieser Maschine angenommen: {variable} setzen",
    accepts: "nimmt Ereignisse ohne Signatur von dieser Maschine an: {variable} setzen"
  }
})
