/** Converts typed phone numbers and names to SIP addresses. Pure. */

/** Longest target. Unit: characters. Reason: 15 digits with a prefix, or the name of an extension. */
const longest = 64

/** Normalised target: digits, `+`, `*`, `#`, or a name such as `webrtc-ann`; undefined when it is not valid. */
export const dialled = (text: string): string | undefined => {
  const plain = text.trim()
  // "(0)" is dialled only inside the country.
  const number = plain.replace(/^(\+\d[\d\s]*)\(0\)/, "$1").replace(/[\s()/.-]/g, "")
  if (/^\+?[\d*#]+$/.test(number) && number.length <= longest) return number
  return /^[A-Za-z][\w.-]*$/.test(plain) && plain.length <= longest ? plain.toLowerCase() : undefined
}

/**
 * SIP address of a number or name. `#` is escaped, because it is not allowed in the user part. Source: RFC 3261 §25.1.
 */
export const addressOf = (number: string, domain: string): string => `sip:${number.replaceAll("#", "%23")}@${domain}`

/** Number or name of a caller from the user part of the address; empty for an anonymous caller. */
export const numberOf = (user: string): string => {
  const plain = user.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return /^anonymous$/i.test(plain) ? "" : plain
}

/** Number of final digits that are compared. Reason: the same as for customers. */
const compared = 10

const tail = (number: string): string => number.replace(/\D/g, "").slice(-compared)

/** Whether two numbers are equal in their last ten digits; names are compared without case. */
export const sameNumber = (one: string, other: string): boolean =>
  tail(one) === tail(other) && (tail(one) !== "" || one.toLowerCase() === other.toLowerCase())
