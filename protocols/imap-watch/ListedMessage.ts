/**
 * Decodes one answer to FETCH for a message list. Pure; texts from the sender stay encoded. Sources: RFC 3501 §7.4.2
 * (ENVELOPE, BODYSTRUCTURE), RFC 9051 §7.5.2 (groups in an ENVELOPE).
 */
import { Result } from "effect"
import { type BodyPart, readBody } from "./BodyPart.ts"
import type { Line } from "./Lines.ts"
import { ValueCursor } from "./ValueCursor.ts"

/** Items to fetch; fetching them changes no flag. */
export const listedItems = "(UID FLAGS INTERNALDATE RFC822.SIZE ENVELOPE BODYSTRUCTURE)"

/**
 * Deepest nesting of lists in such an answer. Reason: each level of a message takes one, and mail programs create three
 * or four. Deeper messages are read in another way.
 */
export const maxListedDepth = 25

/** A message as the server listed it. Undefined fields were not in the answer. Texts have one character per byte. */
export interface ListedMessage {
  readonly sequence: number
  readonly uid: number | undefined
  readonly flags: ReadonlyArray<string> | undefined
  /** `17-Jul-1996 02:44:25 -0700`. */
  readonly internalDate: string | undefined
  /** Size of the whole message. Unit: bytes. */
  readonly size: number | undefined
  readonly envelope: Envelope | undefined
  readonly body: BodyPart | undefined
}

export interface Envelope {
  /** The Date header as the sender wrote it. */
  readonly date: string | undefined
  readonly subject: string | undefined
  /** The first sender. For a group: the group's name, without an address. */
  readonly from: { readonly name: string; readonly address: string } | undefined
}

/** Undefined: not an answer to FETCH. Failure: an answer to FETCH that cannot be decoded. */
export const readListed = (line: Line): Result.Result<ListedMessage, string> | undefined => {
  const begin = /^\* (\d{1,10}) FETCH /i.exec(line[0]!)
  if (begin === null) return undefined
  const values = new ValueCursor(line, begin[0].length, maxListedDepth)
  if (!values.enter()) return Result.fail(values.end() ?? "FETCH without its items")
  const message = readItems(Number(begin[1]), values)
  values.leave()
  const fault = values.end()
  return fault === undefined ? Result.succeed(message) : Result.fail(fault)
}

const readItems = (sequence: number, values: ValueCursor): ListedMessage => {
  const found: { -readonly [Item in keyof ListedMessage]: ListedMessage[Item] } = {
    sequence,
    uid: undefined,
    flags: undefined,
    internalDate: undefined,
    size: undefined,
    envelope: undefined,
    body: undefined
  }
  while (values.more) {
    if (values.goPast("UID")) found.uid = values.number()
    else if (values.goPast("FLAGS")) found.flags = values.enter() ? readFlags(values) : undefined
    else if (values.goPast("INTERNALDATE")) found.internalDate = values.word()
    else if (values.goPast("RFC822.SIZE")) found.size = values.number()
    else if (values.goPast("ENVELOPE")) found.envelope = values.enter() ? readEnvelope(values) : undefined
    else if (values.goPast("BODYSTRUCTURE")) found.body = values.enter() ? readBody(values) : undefined
    else {
      values.skip()
      values.skip()
    }
  }
  return found
}

const readFlags = (values: ValueCursor): ReadonlyArray<string> => {
  const flags: Array<string> = []
  while (values.more) {
    const flag = values.word()
    if (flag !== undefined) flags.push(flag)
  }
  values.leave()
  return flags
}

const readEnvelope = (values: ValueCursor): Envelope => {
  const date = values.text()
  const subject = values.text()
  const from = values.enter() ? firstOf(values) : undefined
  values.leave()
  return { date, subject, from }
}

const firstOf = (addresses: ValueCursor): Envelope["from"] => {
  let first: Envelope["from"]
  while (first === undefined && addresses.more) if (addresses.enter()) first = readAddress(addresses)
  addresses.leave()
  return first
}

const readAddress = (values: ValueCursor): Envelope["from"] => {
  const name = values.text() ?? ""
  // The source route (RFC 3501 `addr-adl`) is obsolete.
  values.skip()
  const mailbox = values.text() ?? ""
  const host = values.text() ?? ""
  values.leave()
  if (host !== "") return { name, address: `${mailbox}@${host}` }
  // Without a host it is the start of a group, or its end.
  return name !== "" || mailbox !== "" ? { name: name === "" ? mailbox : name, address: "" } : undefined
}
