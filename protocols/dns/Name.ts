/** Names in DNS, in the one form in which they are stored and compared: ASCII, lower case, without a trailing dot. Pure. Asks nobody. */

/** Unit: octets. Source: RFC 1035 §2.3.4. */
export const maxLabel = 63

/** Unit: octets as text without the trailing dot; on the wire two more. Source: RFC 1035 §2.3.4. */
export const maxName = 253

/** What is wrong with a name, as a sentence in English that goes after the name of the field. */
export interface NameProblem {
  readonly problem: string
}

/** A name, and the labels that mix scripts: those deserve a second look by a person, but are no error. */
export interface ParsedDomain {
  readonly ascii: string
  /** In Unicode, as people read it. */
  readonly unicode: string
  /** Labels in Unicode that mix scripts beyond UTS 39 §5.2 "highly restrictive". */
  readonly mixed: ReadonlyArray<string>
}
