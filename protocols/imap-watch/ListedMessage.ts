/**
 * What a list shows of a message, from one answer to FETCH. Pure; gives the words of strangers no meaning and decodes none. Sources:
 * RFC 3501 §7.4.2 (ENVELOPE, BODYSTRUCTURE), RFC 9051 §7.5.2 (groups in an ENVELOPE).
 */
import { Result } from "effect"
import { type BodyPart, readBody } from "./BodyPart.ts"
import type { Line } from "./Lines.ts"
import { isList, isNil, readValues, type Value, wordOf } from "./Values.ts"

/** What is asked for; changes no flag. */
export const listedItems = "(UID FLAGS INTERNALDATE RFC822.SIZE ENVELOPE BODYSTRUCTURE)"

/** Deepest list in a list of such an answer. Reason: each level of a message takes one; mail programs make three or four, and what is deeper is read another way. */
export const maxListedDepth = 25

/** Undefined is what the answer did not tell. All texts one character a byte. */
export interface ListedMessage {
  readonly sequence: number
  readonly uid: number | undefined
  readonly flags: ReadonlyArray<string> | undefined
  /** `17-Jul-1996 02:44:25 -0700`. */
  readonly internalDate: string | undefined
  /** Unit: bytes. */
  readonly size: number | undefined
  readonly envelope: Envelope | undefined
  readonly body: BodyPart | undefined
}

export interface Envelope {
  /** As the sender wrote it. */
  readonly date: string | undefined
  readonly subject: string | undefined
  /** The first who is named; of a group its name, without an address. */
  readonly from: { readonly name: string; readonly address: string } | undefined
}

/** Undefined: it is no answer to FETCH. A failure: it is one that cannot be read. */
export const readListed = (line: Line): Result.Result<ListedMessage, string> | undefined => {
  const begin = /^\* (\d{1,10}) FETCH /i.exec(line[0]!)
  if (begin === null) return undefined
  const values = readValues(line, begin[0].length, maxListedDepth)
  if (Result.isFailure(values)) return Result.fail(values.failure)
  const [items] = values.success
  if (!isList(items)) return Result.fail("FETCH without its items")
  const found = new Map<string, Value>()
  for (let at = 0; at + 1 < items.length; at += 2) {
    const name = items[at]
    if (typeof name === "string") found.set(name.toUpperCase(), items[at + 1]!)
  }
  const flags = found.get("FLAGS")
  const envelope = found.get("ENVELOPE")
  const body = found.get("BODYSTRUCTURE")
  return Result.succeed({
    sequence: Number(begin[1]),
    uid: numberOf(found.get("UID")),
    flags: isList(flags) ? flags.flatMap((flag) => wordOf(flag) ?? []) : undefined,
    internalDate: wordOf(found.get("INTERNALDATE")),
    size: numberOf(found.get("RFC822.SIZE")),
    envelope: isList(envelope) ? readEnvelope(envelope) : undefined,
    body: isList(body) ? readBody(body) : undefined
  })
}

const readEnvelope = ([date, subject, from]: ReadonlyArray<Value>): Envelope => ({
  date: textOf(date),
  subject: textOf(subject),
  from: isList(from) ? firstOf(from) : undefined
})

const firstOf = (addresses: ReadonlyArray<Value>): Envelope["from"] => {
  for (const address of addresses) {
    if (!isList(address)) continue
    const [name = "", , mailbox = "", host = ""] = address.map(textOf)
    if (host !== "") return { name, address: `${mailbox}@${host}` }
    // Where a group begins, or ends.
    if (name !== "" || mailbox !== "") return { name: name === "" ? mailbox : name, address: "" }
  }
  return undefined
}

const textOf = (value: Value | undefined): string | undefined => isNil(value) ? undefined : wordOf(value)

const numberOf = (value: Value | undefined): number | undefined => typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : undefined
