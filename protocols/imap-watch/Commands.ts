/**
 * Encodes the IMAP commands of a watcher. Pure; opens no socket. Sources: RFC 3501 §6, RFC 2177 (IDLE), RFC 5465
 * (NOTIFY), RFC 5819 (LIST-STATUS), RFC 4959 (SASL-IR), RFC 7888 (literals).
 */
import { Result } from "effect"
import { maxLiteralBytes } from "./Lines.ts"
import * as MailboxName from "./MailboxName.ts"

/**
 * A command without its tag, one character per byte. The first piece is sent at once, each further piece after a `+`
 * from the server.
 */
export interface Command {
  /** Name for errors: the verb, never an argument. */
  readonly name: string
  readonly pieces: ReadonlyArray<string>
}

/** Longest argument. Unit: bytes. Source: the longest SASL line (RFC 4954 §4), which tokens can fill. */
export const maxArgumentBytes = 12_288

/**
 * How much is fetched of the header fields. Unit: bytes. Reason: the longest accepted literal. Real fields have
 * less than 1 KiB, because lists of recipients are not fetched.
 */
export const maxHeadBytes = maxLiteralBytes

const plain = (name: string, rest = ""): Command => ({ name, pieces: [`${name}${rest}\r\n`] })

export const capability = plain("CAPABILITY")
export const noop = plain("NOOP")
export const logout = plain("LOGOUT")
export const idle = plain("IDLE")
/** Ends an IDLE; sent without a tag. */
export const done = "DONE\r\n"

/** Counters that STATUS requests; `modSeq` where the server offers CONDSTORE. */
const items = (modSeq: boolean): string => `(MESSAGES UIDNEXT UIDVALIDITY UNSEEN${modSeq ? " HIGHESTMODSEQ" : ""})`

export const select = (folder: string): Command => plain("SELECT", ` ${mailbox(folder)}`)
export const examine = (folder: string): Command => plain("EXAMINE", ` ${mailbox(folder)}`)
export const status = (folder: string, modSeq: boolean): Command =>
  plain("STATUS", ` ${mailbox(folder)} ${items(modSeq)}`)
export const list = plain("LIST", ` "" "*"`)
/** `specialUse`: also requests the uses of folders, where the server offers SPECIAL-USE. Source: RFC 6154 §2. */
export const listStatus = (modSeq: boolean, specialUse: boolean): Command =>
  plain("LIST", ` "" "*" RETURN (${specialUse ? "SPECIAL-USE " : ""}STATUS ${items(modSeq)})`)

/** Closes the selected folder. It deletes nothing in a folder opened with EXAMINE. Source: RFC 3501 §6.4.2. */
export const close = plain("CLOSE")

/** Fetches what is announced about new messages, with at most `maxHeadBytes` of the header. Changes no flag. */
export const fetchHeads = (from: number, to: number): Command =>
  plain(
    "UID FETCH",
    ` ${from}:${to} (UID INTERNALDATE RFC822.SIZE ` +
      `BODY.PEEK[HEADER.FIELDS (FROM SUBJECT MESSAGE-ID RETURN-PATH)]<0.${maxHeadBytes}>)`
  )

/** Fetches the UIDs of existing messages. */
export const fetchUids = (from: number, to: number): Command => plain("UID FETCH", ` ${from}:${to} (UID)`)

/**
 * Subscribes to all folders of the user: their counters at once, then changes of messages and folders. Source: RFC 5465
 * §3 to §6.
 */
export const notify = plain("NOTIFY", " SET STATUS (personal (MessageNew MessageExpunge FlagChange MailboxName))")

/** Refuses a NUL and too long texts. Text beyond ASCII is sent as UTF-8 in literals. */
export const login = (user: string, password: string): Result.Result<Command, string> =>
  Result.map(Result.all([argument(user), argument(password)]), ([name, secret]) => ({
    name: "LOGIN",
    pieces: joined(["LOGIN ", name, " ", secret, "\r\n"])
  }))

/**
 * `mechanism`: `XOAUTH2`, `OAUTHBEARER`, …; `response`: the client's only message in base64; `errorAnswer`: the
 * client's answer to the server's error challenge; `inline`: the server offers SASL-IR.
 */
export const authenticate = (
  mechanism: string,
  response: string,
  errorAnswer: string,
  inline: boolean
): Result.Result<Command, string> => {
  if (!/^[A-Z0-9_-]{1,20}$/.test(mechanism)) return Result.fail("a mechanism that is none")
  if (!base64.test(response) || response === "" || response.length > maxArgumentBytes || !base64.test(errorAnswer))
    return Result.fail("a SASL string that is not base64")
  const begin = inline
    ? [`AUTHENTICATE ${mechanism} ${response}\r\n`]
    : [`AUTHENTICATE ${mechanism}\r\n`, `${response}\r\n`]
  return Result.succeed({ name: "AUTHENTICATE", pieces: [...begin, `${errorAnswer}\r\n`] })
}

/** Quotes `text`, which has only visible ASCII and spaces. */
export const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`

const mailbox = (folder: string): string => quote(MailboxName.encode(folder))

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** An encoded argument: quoted text, or bytes for a literal. */
type Argument = string | { readonly literal: string }

const argument = (text: string): Result.Result<Argument, string> => {
  const bytes = Buffer.from(text, "utf8")
  if (text.includes("\0") || !text.isWellFormed()) return Result.fail("a user or password that cannot be said")
  if (bytes.length > maxArgumentBytes) return Result.fail("a user or password that is too long")
  return Result.succeed(/^[\u0020-\u007e]*$/.test(text) ? quote(text) : { literal: bytes.toString("latin1") })
}

/** Joins the parts; a piece ends where a literal is announced. */
const joined = (parts: ReadonlyArray<Argument>): ReadonlyArray<string> => {
  const pieces = [""]
  for (const part of parts) {
    if (typeof part !== "string") {
      pieces[pieces.length - 1] += `{${part.literal.length}}\r\n`
      pieces.push(part.literal)
    } else pieces[pieces.length - 1] += part
  }
  return pieces
}
