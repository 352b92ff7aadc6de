/**
 * Decodes the server responses that a watcher needs. Pure; opens no socket. Other responses become `Other`; a needed
 * response that cannot be decoded is a failure. Sources: RFC 3501 §7, RFC 7162 (HIGHESTMODSEQ, VANISHED), RFC 5258 and
 * RFC 5465 (LIST, OLDNAME).
 */
import { Result } from "effect"
import type { Line } from "./Lines.ts"
import * as MailboxName from "./MailboxName.ts"
import { isList, isText, readValues, type Value, wordOf } from "./Values.ts"

/** Counters of a STATUS response. Counters that it did not contain are absent. */
export interface FolderStatus {
  readonly messages?: number
  readonly uidNext?: number
  readonly uidValidity?: number
  readonly unseen?: number
  /** A number of 63 bits. */
  readonly highestModSeq?: bigint
}

/** Response code such as `TRYCREATE` or `AUTHENTICATIONFAILED`; `name` in upper case. */
export interface ResponseCode {
  readonly name: string
  readonly value: string
}

/** Message data of a FETCH response. Undefined fields were not in the response. */
export interface MessageData {
  readonly internalDate: Date | undefined
  /** Size of the whole message. Unit: bytes. */
  readonly size: number | undefined
  /** The requested header fields, one character per byte; may be cut off. */
  readonly head: string
}

export type Word = "OK" | "NO" | "BAD" | "BYE" | "PREAUTH"

export type Response =
  /** A status response. `tag`: of the command that it completes; `*` for none. */
  | {
      readonly _tag: "State"
      readonly tag: string
      readonly word: Word
      readonly code: ResponseCode | undefined
      readonly text: string
    }
  | { readonly _tag: "Continue" }
  /** Capability names in upper case. */
  | { readonly _tag: "Capability"; readonly names: ReadonlyArray<string> }
  | { readonly _tag: "Exists"; readonly messages: number }
  | { readonly _tag: "Recent"; readonly messages: number }
  | { readonly _tag: "Expunge"; readonly sequence: number }
  /** `uids`: the unparsed set, such as `1:3,7`. */
  | { readonly _tag: "Vanished"; readonly earlier: boolean; readonly uids: string }
  | {
      readonly _tag: "Fetch"
      readonly sequence: number
      readonly uid: number | undefined
      readonly flags: ReadonlyArray<string> | undefined
      readonly message?: MessageData
    }
  | { readonly _tag: "Status"; readonly folder: string; readonly status: FolderStatus }
  /** `attributes` in lower case, such as `\noselect`. `oldName`: previous name of a renamed folder. */
  | {
      readonly _tag: "List"
      readonly folder: string
      readonly attributes: ReadonlyArray<string>
      readonly delimiter: string | undefined
      readonly oldName: string | undefined
    }
  | { readonly _tag: "Other" }

const other: Response = { _tag: "Other" }

export const read = (line: Line): Result.Result<Response, string> => {
  const head = line[0]!
  if (head.startsWith("+")) return Result.succeed({ _tag: "Continue" })
  const state = stateForm.exec(head)
  if (state !== null) return Result.succeed(readState(state))
  const counted = /^\* (\d{1,10}) ([A-Z]+)/i.exec(head)
  if (counted !== null) return readCounted(line, Number(counted[1]), counted[2]!.toUpperCase(), counted[0].length)
  const named = /^\* ([A-Z]+)(?= |$)/i.exec(head)
  if (named === null) return Result.fail("an answer without a form")
  return readNamed(line, named[1]!.toUpperCase(), named[0].length)
}

/** Capabilities of a response code `[CAPABILITY …]` or a CAPABILITY response. */
export const capabilitiesOf = (words: string): ReadonlyArray<string> =>
  words
    .toUpperCase()
    .split(" ")
    .filter((word) => word !== "")

const stateForm = /^([^ ()"{%\\]+) (OK|NO|BAD|BYE|PREAUTH)(?: \[([^\] ]+)(?: ([^\]]*))?\])?(?: (.*))?$/i

const readState = ([, tag, word, code, value, text]: RegExpExecArray): Response => ({
  _tag: "State",
  tag: tag!,
  word: word!.toUpperCase() as Word,
  code: code === undefined ? undefined : { name: code.toUpperCase(), value: value ?? "" },
  text: text ?? ""
})

const readCounted = (line: Line, count: number, name: string, from: number): Result.Result<Response, string> => {
  if (name === "EXISTS") return Result.succeed({ _tag: "Exists", messages: count })
  if (name === "RECENT") return Result.succeed({ _tag: "Recent", messages: count })
  if (name === "EXPUNGE") return Result.succeed({ _tag: "Expunge", sequence: count })
  return name === "FETCH"
    ? Result.flatMap(readValues(line, from), (values) => readFetch(count, values))
    : Result.succeed(other)
}

const readFetch = (sequence: number, [items]: ReadonlyArray<Value>): Result.Result<Response, string> => {
  if (!isList(items)) return Result.fail("FETCH without its items")
  const uid = itemOf(items, "UID")
  const flags = itemOf(items, "FLAGS")
  const number = uid === undefined ? undefined : numberOf(uid)
  if (uid !== undefined && number === undefined) return Result.fail("FETCH with a UID that is no number")
  // The parser splits `BODY[HEADER.FIELDS (…)]<0>` into a name with a list, and `]<0>` with the text.
  const head = itemOf(items, "]<0>") ?? itemOf(items, "]")
  const size = itemOf(items, "RFC822.SIZE")
  return Result.succeed({
    _tag: "Fetch",
    sequence,
    uid: number,
    flags: isList(flags) ? flags.flatMap((flag) => wordOf(flag) ?? []) : undefined,
    ...(head === undefined
      ? {}
      : {
          message: {
            internalDate: dateOf(wordOf(itemOf(items, "INTERNALDATE"))),
            size: size === undefined ? undefined : numberOf(size),
            head: isText(head) ? head.text : ""
          }
        })
  })
}

/** Parses `17-Jul-1996 02:44:25 -0700`. Source: RFC 3501 §9 `date-time`. */
const dateOf = (text: string | undefined): Date | undefined => {
  const [, day, month, year, time, zone] =
    /^ ?(\d{1,2})-([A-Z]{3})-(\d{4}) (\d\d:\d\d:\d\d) ([+-]\d{4})$/i.exec(text ?? "") ?? []
  const date = new Date(`${day} ${month} ${year} ${time} ${zone}`)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const readNamed = (line: Line, name: string, from: number): Result.Result<Response, string> => {
  if (name === "CAPABILITY") return Result.succeed({ _tag: "Capability", names: capabilitiesOf(line[0]!.slice(from)) })
  if (name === "STATUS") return Result.flatMap(readValues(line, from), readStatus)
  if (name === "LIST") return Result.flatMap(readValues(line, from), readList)
  if (name !== "VANISHED") return Result.succeed(other)
  const vanished = /^( \(EARLIER\))? ([\d:,]+)$/i.exec(line[0]!.slice(from))
  return vanished === null
    ? Result.fail("VANISHED without its UIDs")
    : Result.succeed({ _tag: "Vanished", earlier: vanished[1] !== undefined, uids: vanished[2]! })
}

const readStatus = ([name, items]: ReadonlyArray<Value>): Result.Result<Response, string> => {
  const folder = wordOf(name)
  if (folder === undefined || !isList(items)) return Result.fail("STATUS without folder or items")
  const modSeq = wordOf(itemOf(items, "HIGHESTMODSEQ"))
  return Result.succeed({
    _tag: "Status",
    folder: MailboxName.decode(folder),
    status: {
      ...number("messages", itemOf(items, "MESSAGES")),
      ...number("uidNext", itemOf(items, "UIDNEXT")),
      ...number("uidValidity", itemOf(items, "UIDVALIDITY")),
      ...number("unseen", itemOf(items, "UNSEEN")),
      ...(modSeq !== undefined && /^\d{1,19}$/.test(modSeq) ? { highestModSeq: BigInt(modSeq) } : {})
    }
  })
}

const readList = ([attributes, delimiter, name, extended]: ReadonlyArray<Value>): Result.Result<Response, string> => {
  const folder = wordOf(name)
  if (!isList(attributes) || folder === undefined) return Result.fail("LIST without attributes or folder")
  const old = isList(extended) ? itemOf(extended, "OLDNAME") : undefined
  const oldName = isList(old) ? wordOf(old[0]) : undefined
  return Result.succeed({
    _tag: "List",
    folder: MailboxName.decode(folder),
    attributes: attributes.flatMap((attribute) => wordOf(attribute)?.toLowerCase() ?? []),
    delimiter: typeof delimiter === "string" ? undefined : wordOf(delimiter),
    oldName: oldName === undefined ? undefined : MailboxName.decode(oldName)
  })
}

/** The value after `name` in a list of names and values. */
const itemOf = (items: ReadonlyArray<Value>, name: string): Value | undefined => {
  const at = items.findIndex((item, index) => index % 2 === 0 && wordOf(item)?.toUpperCase() === name)
  return at === -1 ? undefined : items[at + 1]
}

const numberOf = (value: Value): number | undefined =>
  typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : undefined

const number = <K extends string>(key: K, value: Value | undefined): { readonly [_ in K]?: number } => {
  const read = value === undefined ? undefined : numberOf(value)
  return read === undefined ? {} : ({ [key]: read } as { readonly [_ in K]: number })
}
