/** The server's errors about the bank, in the page's language. */
import { language, words } from "../../lib/Language.ts"
import type { Problem } from "../../lib/Problem.ts"
import { refusedBy } from "../../parts/Refused.tsx"
import { told as toldOfFields } from "../telephony/Refusals.ts"
import { inGerman } from "./GermanProblems.ts"

const t = words({
  en: {
    iban_taken: "Another active account has this IBAN.",
    keys_in_use: "The bank has the keys of these ids already. Reset the keys first, then change them.",
    wrong_step: "This step does not fit the state of the keys. The page shows the state anew.",
    step_under_way: "A step of this account is still running. Try again in a moment.",
    inactive: "The account is deactivated. Reactivate it first.",
    no_ebics: "The connection is not complete: host id, partner id, user id and server address are required.",
    stopped: "Fetching is stopped. The page of the account says why.",
    account_unfit: "The account is not in a condition for this.",
    keys_locked: "The keys wait for their passphrase. Enter it on the page of the account.",
    hashes_differ: "The hashes differ from those that the bank sent. Do not accept them; ask the bank by telephone.",
    bank_refused: (code: string, why: string) => `The bank refused (${code}): ${why}`,
    bank_failed: (why: string) => `The bank did not answer as expected: ${why}. Try again later.`,
    account_not_ready: (why: string) => `Nothing can be fetched now: ${why}`,
    too_many_fetches: "Too many fetches were requested. Try again in an hour.",
    too_many_imports: "Too much was imported today, or two files are still on their way. Try again later.",
    not_a_bank_file:
      "This is no file with bank statements. Possible are camt.052, camt.053, MT940, MT942 and ZIP files.",
    payload_too_large: "The file is too large. Put it into a ZIP file, or split it.",
    already_decided: "The transaction is decided already. Undo that first.",
    nothing_to_undo: "There is nothing to undo.",
    replaced: "A newer statement replaced this transaction. Search for the new one.",
    not_booked: "The bank has not booked this transaction yet. Wait for the booking.",
    invoice_not_open: "An invoice is not open any more. Choose another.",
    more_than_open: "An amount is more than what is open on the invoice.",
    more_than_transaction: "The parts are more than the transaction. Lower an amount.",
    wrong_direction: "Money that came in settles no credit note, and money that went out no invoice.",
    returned: "The payment was returned. Undo the returned direct debit first.",
    currency_differs: (currency: string) =>
      `The invoice is in ${currency}. Confirm that, and enter the amount in ${currency}.`,
    invoice_number_taken: "Another invoice has this number.",
    invoice_settled: "Payments settled this invoice or a part of it. Undo the payments first.",
    invoice_cancelled: "The invoice is cancelled.",
    unknown_invoice: "There is no invoice of this number.",
    cancelled: "The invoice is cancelled.",
    other_currency: "The invoice has another currency.",
    too_much: "An amount is more than what is open on the invoice.",
    wrong_sign: "The amount must have the sign of the invoice: negative for a credit note.",
    more_than_payment: "The parts are more than the payment.",
    named_twice: "An invoice is named twice.",
    nothing: "The payment has no amount and settles nothing.",
    already_paid: "The bank transaction has a payment already.",
    payment_returned: "The payment was returned. Undo the return first.",
    payment_matched: "The payment belongs to a bank transaction. Undo the match there.",
    payment_differs: "A payment with this external id has other content."
  },
  de: {
    iban_taken: "Ein anderes aktives Konto hat diese IBAN.",
    keys_in_use: "Die Bank hat die Schlüssel dieser Kennungen schon. Setzen Sie erst die Schlüssel zurück.",
    wrong_step: "Dieser Schritt passt nicht zum Zustand der Schlüssel. Die Seite zeigt den Zustand neu.",
    step_under_way: "Ein Schritt dieses Kontos läuft noch. Bitte gleich noch einmal versuchen.",
    inactive: "Das Konto ist deaktiviert. Reaktivieren Sie es erst.",
    no_ebics: "Die Verbindung ist unvollständig: Host-ID, Partner-ID, Teilnehmer-ID und Serveradresse sind nötig.",
    stopped: "Der Abruf ist angehalten. Die Seite des Kontos nennt den Grund.",
    account_unfit: "Der Zustand des Kontos lässt das nicht zu.",
    keys_locked: "Die Schlüssel warten auf ihr Passwort. Geben Sie es auf der Seite des Kontos ein.",
    hashes_differ:
      "Die Hashwerte weichen von denen der Bank ab. Nehmen Sie sie nicht an; fragen Sie die Bank am Telefon.",
    bank_refused: (code: string, why: string) => `Die Bank lehnt ab (${code}): ${why}`,
    bank_failed: (why: string) => `Die Bank hat nicht wie erwartet geantwortet: ${why}. Bitte später noch einmal.`,
    account_not_ready: (why: string) => `Jetzt lässt sich nichts abrufen: ${why}`,
    too_many_fetches: "Es wurden zu viele Abrufe angefordert. Bitte in einer Stunde noch einmal.",
    too_many_imports:
      "Heute wurde zu viel importiert, oder zwei Dateien sind noch unterwegs. Bitte später noch einmal.",
    not_a_bank_file:
      "Das ist keine Datei mit Kontoauszügen. Möglich sind camt.052, camt.053, MT940, MT942 und ZIP-Dateien.",
    payload_too_large: "Die Datei ist zu groß. Packen Sie sie in eine ZIP-Datei, oder teilen Sie sie.",
    already_decided: "Über den Umsatz ist schon entschieden. Machen Sie das erst rückgängig.",
    nothing_to_undo: "Es gibt nichts rückgängig zu machen.",
    replaced: "Ein neuerer Auszug hat diesen Umsatz ersetzt. Suchen Sie den neuen.",
    not_booked: "Die Bank hat diesen Umsatz noch nicht gebucht. Warten Sie auf die Buchung.",
    invoice_not_open: "Eine Rechnung ist nicht mehr offen. Wählen Sie eine andere.",
    more_than_open: "Ein Betrag ist größer als das Offene der Rechnung.",
    more_than_transaction: "Die Teile sind mehr als der Umsatz. Verringern Sie einen Betrag.",
    wrong_direction: "Ein Eingang begleicht keine Gutschrift und ein Ausgang keine Rechnung.",
    returned: "Die Zahlung kam zurück. Machen Sie erst die Rücklastschrift rückgängig.",
    currency_differs: (currency: string) =>
      `Die Rechnung ist in ${currency}. Bestätigen Sie das, und geben Sie den Betrag in ${currency} ein.`,
    invoice_number_taken: "Eine andere Rechnung hat diese Nummer.",
    invoice_settled:
      "Zahlungen haben diese Rechnung ganz oder teilweise beglichen. Machen Sie erst die Zahlungen rückgängig.",
    invoice_cancelled: "Die Rechnung ist storniert.",
    unknown_invoice: "Es gibt keine Rechnung mit dieser Nummer.",
    cancelled: "Die Rechnung ist storniert.",
    other_currency: "Die Rechnung hat eine andere Währung.",
    too_much: "Ein Betrag ist größer als das Offene der Rechnung.",
    wrong_sign: "Der Betrag muss das Vorzeichen der Rechnung haben: negativ bei einer Gutschrift.",
    more_than_payment: "Die Teile sind mehr als die Zahlung.",
    named_twice: "Eine Rechnung ist zweimal genannt.",
    nothing: "Die Zahlung hat keinen Betrag und begleicht nichts.",
    already_paid: "Der Umsatz der Bank hat schon eine Zahlung.",
    payment_returned: "Die Zahlung kam zurück. Machen Sie erst die Rückgabe rückgängig.",
    payment_matched: "Die Zahlung gehört zu einem Umsatz der Bank. Machen Sie die Zuordnung dort rückgängig.",
    payment_differs: "Eine Zahlung mit dieser externen ID hat anderen Inhalt."
  }
})

type Words = ReturnType<typeof t>
/** Codes and reasons whose text needs no values. */
type Plain = { [Name in keyof Words]: Words[Name] extends string ? Name : never }[keyof Words]

/** Codes whose `reason` says more. */
const withReason = new Set(["account_unfit", "match_not_possible", "settlement_refused"])

const plain = (name: string): string | undefined => {
  const found = name in t() ? t()[name as Plain] : undefined
  return typeof found === "string" ? found : undefined
}

/** Meaning of the usual return codes of banks, for people. Source: EBICS 3.0, annex 1. */
const bankCodes: Readonly<Record<string, { readonly en: string; readonly de: string }>> = {
  "000000": { en: "The bank has accepted the request.", de: "Die Bank hat die Anfrage angenommen." },
  "091002": {
    en: "The bank has not activated the user yet. That takes one to three working days after the letters arrive.",
    de: "Die Bank hat den Teilnehmer noch nicht freigeschaltet. Das dauert nach Eingang der Briefe ein bis drei Werktage."
  },
  "091003": {
    en: "The bank does not know this user. Compare host id, partner id and user id with the bank's papers.",
    de: "Die Bank kennt diesen Teilnehmer nicht. Vergleichen Sie Host-ID, Partner-ID und Teilnehmer-ID mit den Papieren der Bank."
  },
  "091004": {
    en: "The bank has locked the user, or not activated it yet. Ask the bank.",
    de: "Die Bank hat den Teilnehmer gesperrt oder noch nicht freigeschaltet. Fragen Sie die Bank."
  },
  "091008": {
    en: "The bank has new keys. Compare and accept them, then fetching goes on.",
    de: "Die Bank hat neue Schlüssel. Vergleichen Sie sie und nehmen Sie sie an; dann geht der Abruf weiter."
  },
  "091011": {
    en: "The bank does not know this host id. Compare it with the bank's papers.",
    de: "Die Bank kennt diese Host-ID nicht. Vergleichen Sie sie mit den Papieren der Bank."
  },
  "061001": {
    en: "The bank does not accept our signature. Reset the keys and send new letters.",
    de: "Die Bank erkennt unsere Unterschrift nicht an. Setzen Sie die Schlüssel zurück, und schicken Sie neue Briefe."
  },
  "090003": {
    en: "The user may not fetch this. Ask the bank to permit it.",
    de: "Der Teilnehmer darf das nicht abrufen. Bitten Sie die Bank, es zu erlauben."
  },
  "090005": { en: "The bank has nothing new.", de: "Die Bank hat nichts Neues." }
}

/** A sentence of the daemon about a bank that could not be asked. */
export const bankProblemText = (text: string): string => (language.value === "de" ? inGerman(text) : text)

/** What a return code of the bank means, or the bank's own words. */
export const bankCodeText = (code: string | null, text: string): string =>
  (code === null ? undefined : bankCodes[code]?.[language.value]) ?? bankProblemText(text)

/** Error text for a whole form. `shown`: the fields of the form, which show their own errors. */
export const told = (problem: Problem, shown: ReadonlyArray<string> = []): string => {
  const field = (name: string) => String(problem.fields[name] ?? "")
  switch (problem.code) {
    case "bank_refused":
      return t().bank_refused(field("bank_code"), bankCodeText(field("bank_code"), problem.message))
    case "bank_failed":
      return t().bank_failed(bankProblemText(problem.message).replace(/\.$/, ""))
    case "account_not_ready":
      return t().account_not_ready(bankProblemText(problem.message))
    case "currency_differs":
      return t().currency_differs(field("currency"))
    default:
      return (
        (withReason.has(problem.code) ? plain(field("reason")) : undefined) ??
        plain(problem.code) ??
        toldOfFields(problem, shown)
      )
  }
}

/** Text of a reason why a payment settles nothing, or the reason itself. */
export const reasonText = (reason: string): string => plain(reason) ?? reason

/** Shows the error of an action. */
export const Refused = refusedBy(told)
