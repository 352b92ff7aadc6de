/** What people type to call somebody, as the switch is asked for it. Pure. */

/** Unit: characters. Reason: 15 digits with a prefix, or an extension's name. */
const longest = 64

/** Digits, `+`, `*`, `#`, or a name such as `webrtc-ann`; undefined: nobody can be called so. */
export const dialled = (text: string): string | undefined => {
  const plain = text.trim()
  // The zero in brackets is dialled from within the country alone.
  const number = plain.replace(/^(\+\d[\d\s]*)\(0\)/, "$1").replace(/[\s()/.-]/g, "")
  if (/^\+?[\d*#]+$/.test(number) && number.length <= longest) return number
  return /^[A-Za-z][\w.-]*$/.test(plain) && plain.length <= longest ? plain.toLowerCase() : undefined
}

/** The address. What a user part may not hold as it is (`#`) is escaped. Source: RFC 3261 §25.1. */
export const addressOf = (number: string, domain: string): string => `sip:${number.replaceAll("#", "%23")}@${domain}`

/** Who calls, as their address names them; empty: they do not say. */
export const numberOf = (user: string): string => {
  const plain = user.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return /^anonymous$/i.test(plain) ? "" : plain
}

/** Digits by which two spellings of one number are compared. Unit: digits. Reason: the same as for customers. */
const compared = 10

const tail = (number: string): string => number.replace(/\D/g, "").slice(-compared)

/** Whether two spellings mean the same: by their last ten digits; names by themselves. */
export const sameNumber = (one: string, other: string): boolean =>
  tail(one) === tail(other) && (tail(one) !== "" || one.toLowerCase() === other.toLowerCase())
