/**
 * Parser of MT940 (statement) and MT942 (interim report), with the German content of :86:. Pure. Amounts are whole
 * minor units. Source: SWIFT Category 9; DK, Anlage 3. The library mt940js 1.3.5 has floating amounts and no MT942.
 */
import { Result } from "effect"
import { type Amount, negated, parseAmount } from "./Amount.ts"
import { BankFormatsError, malformed } from "./BankFormatsError.ts"
import { parseGermanDetails } from "./GermanDetails.ts"
import { messagesOf, mtDate, type MtEntryLine, type MtField, parseEntryLine } from "./MtFields.ts"
import type { Account, Balance, Entry, Statement } from "./Statement.ts"
import { day, defined, isIban, reference } from "./Values.ts"

export interface MtStatement {
  readonly statement: Statement
  readonly entries: ReadonlyArray<Entry>
}

export const parseMt = (bytes: Uint8Array): Result.Result<ReadonlyArray<MtStatement>, BankFormatsError> => {
  let entry = 0
  try {
    return Result.succeed(
      messagesOf(bytes).map((fields) => {
        const statement = statementOf(fields)
        const currency = currencyOf(fields)
        const entries: Array<Entry> = []
        for (const [at, field] of fields.entries())
          if (field.tag === "61") {
            entry++
            const details = fields[at + 1]
            entries.push(entryOf(field, details?.tag === "86" ? details.lines : undefined, currency))
          }
        return { statement, entries }
      })
    )
  } catch (error) {
    if (error instanceof BankFormatsError) return Result.fail(new BankFormatsError({ reason: error.reason, entry }))
    throw error
  }
}

const statementOf = (fields: ReadonlyArray<MtField>): Statement => {
  const value = (tag: string) => fields.find((field) => field.tag === tag)?.lines[0]?.trim()
  const isInterim = fields.some(({ tag }) => tag === "34F" || tag === "13D" || tag === "13")
  const [, number, page] = /^(\d{1,5})(?:\/(\d{1,5}))?/.exec(value("28C") ?? value("28") ?? "") ?? []
  const account = value("25")
  if (account === undefined || account === "") throw malformed("a message has no account")
  const balances = fields.flatMap((field) => balanceOf(field) ?? [])
  const isClosed = balances.some(({ code }) => code === "OPBD") && balances.some(({ code }) => code === "CLBD")
  if (!isInterim && !isClosed) throw malformed("a statement has no opening and closing balance")
  return defined({
    kind: isInterim ? ("Intraday" as const) : ("EndOfDay" as const),
    format: isInterim ? "MT942" : "MT940",
    id: value("20") ?? "",
    number: number === undefined ? undefined : Number(number),
    page: page === undefined ? undefined : Number(page),
    createdAt: createdAt(value("13D") ?? value("13")),
    account: accountOf(account, currencyOf(fields)),
    balances
  })
}

/** `bank code/account`, an IBAN, or `BIC/IBAN`; a currency may follow. */
const accountOf = (text: string, currency: string): Account => {
  const parts = text.replaceAll(" ", "").split("/")
  const plain = (part: string) => part.replace(/(?<=\d)[A-Z]{3}$/, "")
  const iban = parts.flatMap((part) => [part, plain(part)]).find(isIban)
  if (iban !== undefined) {
    const bic = parts.find((part) => /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(part))
    return { iban, currency, ...(bic === undefined ? {} : { bic }) }
  }
  return { other: parts.map(plain).join("/"), currency }
}

/** Currency of the first balance; in MT942, of the floor limit. */
const currencyOf = (fields: ReadonlyArray<MtField>): string => {
  for (const { lines, tag } of fields) {
    const found = tag.startsWith("60") ? /^[CD]\d{6}([A-Z]{3})/.exec(lines[0] ?? "") : null
    const floor = tag === "34F" ? /^([A-Z]{3})/.exec(lines[0] ?? "") : null
    const currency = found?.[1] ?? floor?.[1]
    if (currency !== undefined) return currency
  }
  throw malformed("a message has no currency")
}

const codes: Readonly<Record<string, string>> = {
  "60F": "OPBD",
  "60M": "OPBD",
  "62F": "CLBD",
  "62M": "CLBD",
  "64": "CLAV",
  "65": "FWAV"
}

const balanceOf = ({ lines, tag }: MtField): Balance | undefined => {
  const code = codes[tag]
  if (code === undefined) return undefined
  const [, mark, date, currency, amount] = /^([CD])(\d{6})([A-Z]{3})([\d,]+)$/.exec(lines[0]?.trim() ?? "") ?? []
  if (date === undefined || currency === undefined || amount === undefined) throw malformed(`:${tag}: is no balance`)
  const unsigned = parseAmount(amount, currency, ",")
  return {
    code,
    intermediate: tag.endsWith("M"),
    amount: mark === "D" ? negated(unsigned) : unsigned,
    date: day(mtDate(date))
  }
}

/** `YYMMDDHHMM` with an offset in :13D:, without in :13:. */
const createdAt = (text: string | undefined): string | undefined => {
  const [, date, hours, minutes, offset] = /^(\d{6})(\d{2})(\d{2})([+-]\d{4})?$/.exec(text ?? "") ?? []
  if (date === undefined) return undefined
  const zone = offset === undefined ? "" : `${offset.slice(0, 3)}:${offset.slice(3)}`
  return `${mtDate(date)}T${hours}:${minutes}:00${zone}`
}

const entryOf = (field: MtField, lines: ReadonlyArray<string> | undefined, currency: string): Entry => {
  const line = parseEntryLine(field)
  if (line === undefined) throw malformed(":61: is no entry")
  const amount = directed(parseAmount(line.amount, currency, ","), line.mark)
  const details = parseGermanDetails(lines ?? [])
  const { tags } = details
  const code = defined({ swift: line.type, gvc: details.gvc })
  const isAccountIban = details.account !== undefined && isIban(details.account)
  return defined({
    amount,
    reversal: line.mark === "RC" || line.mark === "RD",
    status: line.mark === "EC" || line.mark === "ED" ? ("Pending" as const) : ("Booked" as const),
    bookingDate: line.bookingDate === undefined ? day(line.valueDate) : day(line.bookingDate),
    valueDate: day(line.valueDate),
    bankReference: reference(line.bankReference),
    reference: reference(line.reference),
    code,
    info: line.supplement === "" ? details.postingText : line.supplement,
    transactions: [
      defined({
        amount,
        endToEndId: reference(tags.EREF),
        mandateId: reference(tags.MREF),
        creditorId: reference(tags.CRED),
        instructionId: reference(tags.KREF),
        counterparty: defined({
          name: details.name,
          iban: isAccountIban ? details.account : undefined,
          account: isAccountIban ? undefined : details.account,
          bic: details.bic
        }),
        ultimateParty: reference(tags.ABWA ?? tags.ABWE),
        remittance: { lines: details.lines, text: details.text, references: [], documents: [] },
        purpose: reference(tags.PURP),
        code,
        info: details.postingText
      })
    ]
  })
}

/** RC takes a credit back, so money goes out; RD gives a debit back. */
const directed = (amount: Amount, mark: MtEntryLine["mark"]): Amount => {
  if (amount.minor === 0n) return amount
  return mark === "D" || mark === "RC" || mark === "ED" ? negated(amount) : amount
}
