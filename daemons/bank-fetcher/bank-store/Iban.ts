/** International bank account numbers. Pure. Source: ISO 13616, with the check digits of ISO 7064 (MOD 97-10). */

/** Shape without blanks. Length: 15 (Norway) to 34 characters. Source: ISO 13616 and the SWIFT IBAN registry. */
const shape = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/** Lengths of countries from which most payments of a European provider come. Source: SWIFT IBAN registry. */
const lengths: Readonly<Record<string, number>> = { AT: 20, BE: 16, CH: 21, DE: 22, ES: 24, FR: 27, IT: 27, NL: 18 }

/** The IBAN in capital letters without blanks; undefined when it is none or its check digits are wrong. */
export const ibanOf = (text: string): string | undefined => {
  const iban = text.replace(/[\s\u00a0]/g, "").toUpperCase()
  if (!shape.test(iban) || (lengths[iban.slice(0, 2)] ?? iban.length) !== iban.length) return undefined
  return remainder(iban.slice(4) + iban.slice(0, 4)) === 1 ? iban : undefined
}

/** Remainder of the division by 97, where letters count as 10 to 35. */
const remainder = (text: string): number => {
  let rest = 0
  for (const character of text) {
    const value = parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}
