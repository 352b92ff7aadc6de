/**
 * What a watcher says. Pure; opens no socket. Sources: RFC 3501 §6, RFC 2177 (IDLE), RFC 5465 (NOTIFY), RFC 5819
 * (LIST-STATUS), RFC 4959 (SASL-IR), RFC 7888 (literals).
 */
import { Result } from "effect"
import { maxLiteralBytes } from "./Lines.ts"
import * as MailboxName from "./MailboxName.ts"

/**
 * What is sent, without its tag, one character a byte: the first piece at once, each further one when the server says
 * `+`.
 */
export interface Command {
  /** For an error: the verb, never an argument. */
  readonly name: string
  readonly pieces: ReadonlyArray<string>
}

/** Longest argument. Unit: bytes. Source: the longest SASL line (RFC 4954 §4), which tokens fill. */
export const maxArgumentBytes = 12_288

/**
 * How much is read of the three header fields. Unit: bytes. Reason: the longest literal taken; real ones are below 1
 * KiB, and a list of recipients is not among them.
 */
export const maxHeadBytes = maxLiteralBytes

const plain = (name: string, rest = ""): Command => ({ name, pieces: [`${name}${rest}\r\n`] })

export const capability = plain("CAPABILITY")
export const noop = plain("NOOP")
export const logout = plain("LOGOUT")
export const idle = plain("IDLE")
/** Ends an IDLE; has no tag. */
export const done = "DONE\r\n"

/** Everything a STATUS can tell of here; `modSeq` where CONDSTORE is offered. */
const items = (modSeq: boolean): string => `(MESSAGES UIDNEXT UIDVALIDITY UNSEEN${modSeq ? " HIGHESTMODSEQ" : ""})`

export const select = (folder: string): Command => plain("SELECT", ` ${mailbox(folder)}`)
export const examine = (folder: string): Command => plain("EXAMINE", ` ${mailbox(folder)}`)
export const status = (folder: string, modSeq: boolean): Command =>
  plain("STATUS", ` ${mailbox(folder)} ${items(modSeq)}`)
export const list = plain("LIST", ` "" "*"`)
export const listStatus = (modSeq: boolean): Command => plain("LIST", ` "" "*" RETURN (STATUS ${items(modSeq)})`)

/** Ends the selection; of what was EXAMINEd it removes nothing. Source: RFC 3501 §6.4.2. */
export const close = plain("CLOSE")

/**
 * What is asked of a message that came: enough to tell of it, and no more of its header than `maxHeadBytes`. Changes no
 * flag.
 */
export const fetchHeads = (from: number, to: number): Command =>
  plain(
    "UID FETCH",
    ` ${from}:${to} (UID INTERNALDATE RFC822.SIZE ` +
      `BODY.PEEK[HEADER.FIELDS (FROM SUBJECT MESSAGE-ID)]<0.${maxHeadBytes}>)`
  )

/** Which messages there are. */
export const fetchUids = (from: number, to: number): Command => plain("UID FETCH", ` ${from}:${to} (UID)`)

/**
 * Of all folders of the user: their counters at once, then what comes, goes and changes, and the folders themselves.
 * Source: RFC 5465 §3 to §6.
 */
export const notify = plain("NOTIFY", " SET STATUS (personal (MessageNew MessageExpunge FlagChange MailboxName))")

/** A NUL, and what is too long, cannot be said. Beyond ASCII it goes as UTF-8 in literals. */
export const login = (user: string, password: string): Result.Result<Command, string> =>
  Result.map(Result.all([argument(user), argument(password)]), ([name, secret]) => ({
    name: "LOGIN",
    pieces: joined(["LOGIN ", name, " ", secret, "\r\n"])
  }))

/**
 * `mechanism`: `XOAUTH2`, `OAUTHBEARER`, …; `response`: the client's one message in base64; `errorAnswer`: what it says
 * to the server's error challenge; `inline`: the server offers SASL-IR.
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

/** A quoted string; `text` has visible ASCII and space only. */
export const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`

const mailbox = (folder: string): string => quote(MailboxName.encode(folder))

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Quoted, or as bytes to go into a literal. */
type Argument = string | { readonly literal: string }

const argument = (text: string): Result.Result<Argument, string> => {
  const bytes = Buffer.from(text, "utf8")
  if (text.includes("\0") || !text.isWellFormed()) return Result.fail("a user or password that cannot be said")
  if (bytes.length > maxArgumentBytes) return Result.fail("a user or password that is too long")
  return Result.succeed(/^[\u0020-\u007e]*$/.test(text) ? quote(text) : { literal: bytes.toString("latin1") })
}

/** Pieces end where a literal is announced. */
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
