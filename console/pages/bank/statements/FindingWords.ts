/** What people should look at in a statement or a file, in the page's language, with what to do. */
import { calendarDay, money } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import type { BankFile, Statement } from "../Shapes.ts"

export type Finding = Statement["findings"][number]

type Values = Finding["values"]

const text = (values: Values, name: string): string => String(values[name] ?? "")

const amount = (values: Values, name: string): string => {
  const [value, currency] = [text(values, name), text(values, "currency")]
  return value === "" || currency === "" ? value : money(value, currency)
}

const day = (values: Values, name: string): string => {
  const value = text(values, name)
  return /^\d{4}-\d\d-\d\d$/.test(value) ? calendarDay(value) : value
}

const t = words({
  en: {
    unknown_account: () => "No account has this IBAN. Add the account; the statement then belongs to it.",
    same_number_again: (of: Values) =>
      `An earlier statement has the same number ${text(of, "number")}. This one replaced it.`,
    number_gap: (of: Values) =>
      (text(of, "from") === text(of, "to")
        ? `Statement ${text(of, "from")} is missing.`
        : `Statements ${text(of, "from")} to ${text(of, "to")} are missing.`) + " Fetch these days once more.",
    balance_break: (of: Values) =>
      `It opens with ${amount(of, "opening")}, but the statement before closed with ${amount(of, "closing")}. ` +
      "A statement between them may be missing.",
    sum_differs: (of: Values) =>
      `The bookings sum to ${amount(of, "booked")}, but the balances differ by ${amount(of, "difference")}. ` +
      "Compare it with the bank's own pages.",
    details_do_not_sum: (of: Values) =>
      `The details of ${text(of, "count")} batches do not sum to the batch, so each is one transaction.`,
    details_elsewhere: (of: Values) =>
      `The bank sends the details of ${text(of, "count")} batches in another file, so each is one transaction.`,
    currency_differs: (of: Values) =>
      `The statement is in ${text(of, "currency")}, but the account is in ${text(of, "account_currency")}.`,
    matched_booking_vanished: (of: Values) =>
      `A matched booking of ${amount(of, "amount")} on ${day(of, "booked_on")} is not in the final statement. ` +
      "Its payment stays until you undo it.",
    malformed: () => "The file is damaged, or no complete statement. Fetch or export it again.",
    bad_amount: () => "An amount in the file cannot be read.",
    bad_date: () => "A date in the file cannot be read.",
    too_large: () => "A part of the file is larger than a statement may be.",
    unknown_format: () => "The format is unknown. Possible are camt.052, camt.053, MT940 and MT942.",
    not_readable: () => "Reading the file ended without a result. Try again, or ask for help.",
    technical: (of: Values) => `Technical detail: ${text(of, "message")}`
  },
  de: {
    unknown_account: () => "Kein Konto hat diese IBAN. Legen Sie das Konto an; dann gehört der Auszug dazu.",
    same_number_again: (of: Values) =>
      `Ein früherer Auszug hat dieselbe Nummer ${text(of, "number")}. Dieser hat ihn ersetzt.`,
    number_gap: (of: Values) =>
      (text(of, "from") === text(of, "to")
        ? `Auszug ${text(of, "from")} fehlt.`
        : `Die Auszüge ${text(of, "from")} bis ${text(of, "to")} fehlen.`) + " Rufen Sie diese Tage noch einmal ab.",
    balance_break: (of: Values) =>
      `Er beginnt mit ${amount(of, "opening")}, aber der Auszug davor endete mit ${amount(of, "closing")}. ` +
      "Dazwischen kann ein Auszug fehlen.",
    sum_differs: (of: Values) =>
      `Die Buchungen ergeben ${amount(of, "booked")}, die Stände unterscheiden sich um ${amount(of, "difference")}. ` +
      "Vergleichen Sie mit den Seiten der Bank.",
    details_do_not_sum: (of: Values) =>
      `Die Einzelposten von ${text(of, "count")} Sammlern ergeben den Sammler nicht; jeder ist ein Umsatz.`,
    details_elsewhere: (of: Values) =>
      `Die Bank liefert die Einzelposten von ${text(of, "count")} Sammlern in einer anderen Datei; jeder ist ein Umsatz.`,
    currency_differs: (of: Values) =>
      `Der Auszug ist in ${text(of, "currency")}, das Konto in ${text(of, "account_currency")}.`,
    matched_booking_vanished: (of: Values) =>
      `Eine zugeordnete Buchung über ${amount(of, "amount")} am ${day(of, "booked_on")} fehlt im endgültigen Auszug. ` +
      "Ihre Zahlung bleibt, bis Sie sie rückgängig machen.",
    malformed: () => "Die Datei ist beschädigt oder kein ganzer Auszug. Rufen Sie sie noch einmal ab.",
    bad_amount: () => "Ein Betrag in der Datei ist nicht lesbar.",
    bad_date: () => "Ein Datum in der Datei ist nicht lesbar.",
    too_large: () => "Ein Teil der Datei ist größer, als ein Auszug sein darf.",
    unknown_format: () => "Das Format ist unbekannt. Möglich sind camt.052, camt.053, MT940 und MT942.",
    not_readable: () => "Das Lesen der Datei endete ohne Ergebnis. Versuchen Sie es noch einmal.",
    technical: (of: Values) => `Technische Angabe: ${text(of, "message")}`
  }
})

type Texts = Readonly<Record<string, ((values: Values) => string) | undefined>>

/** A finding as a sentence. A code of a newer server has the server's sentence. */
export const findingText = ({ code, message, values }: Finding): string => (t() as Texts)[code]?.(values) ?? message

/** What is wrong with a file, and the detail for the bank or for help; null: the server's sentence says all. */
export const fileProblemText = ({
  code,
  message
}: NonNullable<BankFile["problem"]>): { readonly text: string; readonly detail: string | null } => {
  const known = (t() as Texts)[code]?.({})
  const detail = message.replace("the file does not follow its format: ", "")
  return known === undefined
    ? { text: message, detail: null }
    : { text: known, detail: t().technical({ message: detail }) }
}
