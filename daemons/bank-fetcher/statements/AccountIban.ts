/** Identification of the account of a statement. Pure. */
import type { Account } from "#protocols/bank-formats/Statement.ts"
import { isIban } from "#protocols/bank-formats/Values.ts"

/** IBAN of the account when the bank gave one or a German bank code with account number; else what the bank gave. */
export const identification = ({ iban, other }: Account): string | undefined =>
  iban?.toUpperCase() ?? (other === undefined ? undefined : (germanIban(other) ?? other.slice(0, maxOther)))

/** Longest identification that is stored. Unit: characters. Source: SWIFT, 35x of :25:. */
const maxOther = 35

/** IBAN of `bank code/account number`. Source: ISO 13616; DK, IBAN-Regeln, rule 0000. */
export const germanIban = (text: string): string | undefined => {
  const [, bankCode, account] = /^(\d{8})\/0*(\d{1,10})$/.exec(text) ?? []
  if (bankCode === undefined || account === undefined) return undefined
  const rest = bankCode + account.padStart(10, "0")
  const check = 98n - (BigInt(`${rest}131400`) % 97n)
  const iban = `DE${check.toString().padStart(2, "0")}${rest}`
  return isIban(iban) ? iban : undefined
}
