/** What every format is read into: statements with entries, and entries with transactions. Types only. */
import type { Amount } from "./Amount.ts"

export interface Statement {
  /** `EndOfDay`: booked (camt.053, MT940). `Intraday`: preliminary (camt.052, MT942). */
  readonly kind: "EndOfDay" | "Intraday"
  /** For example `camt.053.001.08` or `MT940`. */
  readonly format: string
  /** Identification that the bank gave the statement. */
  readonly id: string
  /** Number of the statement within the year, and of the page; undefined when the bank does not count. */
  readonly number?: number
  readonly page?: number
  /** Time of creation as the bank writes it, with or without an offset. */
  readonly createdAt?: string
  /** First and last day. */
  readonly from?: string
  readonly to?: string
  readonly account: Account
  readonly balances: ReadonlyArray<Balance>
}

export interface Account {
  readonly iban?: string
  /** Other identification: `bank code/account number` or free text. */
  readonly other?: string
  readonly bic?: string
  readonly currency?: string
  readonly owner?: string
}

export interface Balance {
  /** ISO 20022 code: OPBD, CLBD, PRCD, CLAV, FWAV, ITBD, … */
  readonly code: string
  /** Balance of a page and not of the statement. */
  readonly intermediate: boolean
  readonly amount: Amount
  readonly date: string
}

export interface Entry {
  readonly amount: Amount
  /** Whether the entry reverses an earlier one. The amount already has the direction of the money. */
  readonly reversal: boolean
  readonly status: "Booked" | "Pending" | "Information"
  readonly bookingDate?: string
  readonly valueDate?: string
  readonly reference?: string
  /** Reference of the bank, which duplicates of an entry share. */
  readonly bankReference?: string
  readonly code: TransactionCode
  readonly info?: string
  /** At least one. Their amounts sum to that of the entry. */
  readonly transactions: ReadonlyArray<Transaction>
  /** Why the details of a batch are not listed as transactions. */
  readonly finding?: "DetailsDoNotSum" | "DetailsElsewhere"
}

/** Kind of an entry: ISO 20022 domain, family and sub-family, the German GVC, and the SWIFT type. */
export interface TransactionCode {
  readonly domain?: string
  readonly family?: string
  readonly subFamily?: string
  readonly proprietary?: string
  /** Geschäftsvorfallcode, three digits, for example 166 for a SEPA credit. */
  readonly gvc?: string
  /** For example `NTRF`. */
  readonly swift?: string
}

export interface Transaction {
  readonly amount: Amount
  /** References without `NOTPROVIDED` and `NONREF`. */
  readonly endToEndId?: string
  readonly mandateId?: string
  readonly creditorId?: string
  readonly instructionId?: string
  readonly paymentInformationId?: string
  readonly transactionId?: string
  readonly bankReference?: string
  readonly counterparty: Party
  /** Deviating originator or receiver. */
  readonly ultimateParty?: string
  readonly remittance: Remittance
  readonly purpose?: string
  readonly returnReason?: string
  readonly code: TransactionCode
  readonly info?: string
}

export interface Party {
  readonly name?: string
  readonly iban?: string
  /** Account number that is no IBAN. */
  readonly account?: string
  readonly bic?: string
}

export interface Remittance {
  /** Lines of the unstructured text as the bank sent them. */
  readonly lines: ReadonlyArray<string>
  /** The lines joined. */
  readonly text: string
  /** Creditor references (ISO 11649, `RF…`). */
  readonly references: ReadonlyArray<string>
  /** Documents that are paid, for example invoices (code CINV). */
  readonly documents: ReadonlyArray<{ readonly code?: string; readonly number?: string; readonly date?: string }>
}
