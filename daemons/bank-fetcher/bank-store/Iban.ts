/**
 * International bank account numbers. Pure. ibantools was chosen because it has no dependencies and follows the SWIFT
 * registry, which changes every year. Source: ISO 13616.
 */
import { electronicFormatIBAN, isValidIBAN } from "ibantools"

/** The IBAN in capital letters without blanks; undefined when its country, length or check digits are wrong. */
export const ibanOf = (text: string): string | undefined => {
  const iban = electronicFormatIBAN(text.replaceAll("\u00a0", ""))
  return iban !== null && isValidIBAN(iban) ? iban : undefined
}
