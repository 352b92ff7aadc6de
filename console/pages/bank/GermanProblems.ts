/**
 * German for the sentences in which the daemon says why a bank could not be asked. Technical parts, such as the name of
 * an element or the code of a connection, stay as they are. Pure.
 */

type Parts = ReadonlyArray<string>

/** An English sentence or a part of one, and its German. */
type Rule = readonly [pattern: RegExp, german: string | ((...parts: Parts) => string)]

/** Return codes of the bank behind a sentence: `(091002 EBICS_INVALID_USER_OR_USER_STATE)`. */
const code = String.raw`( \(\d{6} \w+\))`

const sentences: ReadonlyArray<Rule> = [
  [/^The bank does not answer: (.+)\.$/s, (why) => `Die Bank antwortet nicht: ${inGerman(why)}.`],
  [
    /^The answer of the bank cannot be used: (.+)\.$/s,
    (why) => `Die Antwort der Bank ist nicht verwendbar: ${inGerman(why)}.`
  ],
  [
    /^The data of the bank was not stored: (.+)\.$/s,
    (why) => `Die Daten der Bank wurden nicht gespeichert: ${inGerman(why)}.`
  ],
  [
    /^The bank does not offer the user (.+)\.$/,
    (orders) =>
      `Die Bank bietet dem Teilnehmer ${orders.replaceAll(" or ", " oder ").replaceAll(" and ", " und ")} nicht an.`
  ],
  [
    new RegExp(`^The bank says that its keys have changed\\.${code}$`),
    (which) => `Die Bank meldet, dass sie neue Schlüssel hat.${which}`
  ],
  [
    new RegExp(`^The bank has not released the user, or has locked it\\.${code}$`),
    (which) => `Die Bank hat den Teilnehmer nicht freigeschaltet oder gesperrt.${which}`
  ],
  [
    new RegExp(`^The bank cannot serve the request now\\.${code}$`),
    (which) => `Die Bank kann die Anfrage jetzt nicht bedienen.${which}`
  ],
  [
    new RegExp(`^The bank refuses our signature\\.${code}$`),
    (which) => `Die Bank erkennt unsere Unterschrift nicht an.${which}`
  ],
  [new RegExp(`^The bank refuses the request\\.${code}$`), (which) => `Die Bank lehnt die Anfrage ab.${which}`],
  [
    /^The fetch did not end within (\d+) minutes\.$/,
    (minutes) => `Der Abruf war nach ${minutes} Minuten nicht zu Ende.`
  ],
  [
    /^No order types of this kind are chosen for the account\.$/,
    "Für das Konto ist keine Auftragsart dieser Art gewählt."
  ],
  [/^The next fetch of the schedule replaced this one\.$/, "Der nächste Abruf des Zeitplans hat diesen ersetzt."],
  [/^The keys of the account wait for their passphrase\.$/, "Die Schlüssel des Kontos warten auf ihr Passwort."],
  [
    /^The keys of the bank have changed\. A person must compare .+$/,
    "Die Bank hat neue Schlüssel. Vergleichen Sie sie mit dem Brief der Bank, und nehmen Sie sie an; vorher wird nichts abgerufen."
  ],
  [/^The account does not exist\.$/, "Das Konto gibt es nicht."],
  [/^The account is deactivated\.$/, "Das Konto ist deaktiviert."],
  [/^The account is suspended\.$/, "Der Abruf des Kontos ist ausgesetzt."],
  [
    /^The account has no connection to the bank; its statements are imported by hand\.$/,
    "Das Konto hat keine Verbindung zur Bank; seine Auszüge werden von Hand importiert."
  ],
  [
    /^Nobody has compared and accepted the keys of the bank\.$/,
    "Niemand hat die Schlüssel der Bank verglichen und angenommen."
  ],
  [/^The keys of the account are not active; .+$/, "Die Schlüssel des Kontos sind noch nicht aktiv."]
]

/** Why there is no answer, or why it is not usable. */
const causes: ReadonlyArray<Rule> = [
  [/^(https?:\/\/\S+): (.+)$/s, (address, why) => `${address}: ${inGerman(why)}`],
  [/^no answer within ([\d.]+) (ms|s)$/, (time, unit) => `keine Antwort innerhalb von ${time} ${unit}`],
  [/^the connection failed \((.+)\)$/, (why) => `keine Verbindung (${why})`],
  [/^TLS failed \((.+)\)$/, (why) => `keine sichere Verbindung, TLS (${why})`],
  [/^the host name does not resolve \((.+)\)$/, (why) => `der Name des Servers ist im DNS nicht zu finden (${why})`],
  [
    /^address (\S+) is not public \((.+)\)$/,
    (address, range) => `die Adresse ${address} ist nicht öffentlich (${range})`
  ],
  [/^port (\d+) is not served$/, (port) => `der Port ${port} ist nicht erlaubt`],
  [/^not usable: (.+)$/s, (why) => `die Adresse ist nicht verwendbar (${why})`],
  [/^the answer was not HTTP \((.+)\)$/, (why) => `die Antwort war kein HTTP (${why})`],
  [/^more than (\d+) redirects$/, (count) => `mehr als ${count} Weiterleitungen`],
  [/^redirect \((\d+)\) not followed: (.+)$/s, (status, why) => `Weiterleitung (${status}) nicht befolgt: ${why}`],
  [/^the bank answered with HTTP status (\d+)$/, (status) => `die Bank antwortet mit HTTP-Status ${status}`],
  [/^the answer has more than (\d+) bytes$/, (bytes) => `die Antwort hat mehr als ${bytes} Bytes`],
  [/^not a valid EBICS message: (.+)$/s, (why) => `keine gültige EBICS-Nachricht (${why})`],
  [/^the message of the bank exceeds (\w+)$/, (limit) => `die Nachricht der Bank ist zu groß (${limit})`],
  [/^the signature of the bank is missing or wrong$/, "die Unterschrift der Bank fehlt oder ist falsch"],
  [
    /^the order data cannot be decrypted with our key$/,
    "die Daten lassen sich mit unserem Schlüssel nicht entschlüsseln"
  ],
  [/^the decrypted order data is not a zlib stream$/, "die entschlüsselten Daten sind beschädigt (zlib)"],
  [/^the key cannot be used: (.+)$/s, (why) => `der Schlüssel ist nicht verwendbar (${why})`],
  [/^(\w+) does not fit EBICS$/, (field) => `die Angabe ${field} passt nicht zu EBICS`],
  [/^the answer does not belong to the request: (.+)$/s, (why) => `die Antwort gehört nicht zur Anfrage (${why})`]
]

/** The German sentence. A sentence of a newer server, or of the bank itself, stays as it is. */
export const inGerman = (text: string): string => {
  for (const [pattern, german] of [...sentences, ...causes]) {
    const found = pattern.exec(text)
    if (found !== null) return typeof german === "string" ? german : german(...found.slice(1))
  }
  return text
}
