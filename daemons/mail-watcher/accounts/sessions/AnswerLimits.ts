/**
 * Limits the data that a mail server may send during one piece of work. imapflow limits the length of a line and a
 * literal, but not their number: an endless folder list would fill the memory. This file wraps the private
 * `streamer.read` of imapflow, because the library has no hook for its input.
 */
import type { ImapFlow } from "imapflow"
import type { LineBounds } from "#protocols/imap-watch/Lines.ts"

/**
 * Longest line without its literals. Unit: bytes. Reason: parsing blocks the event loop, 50 ms for 100 kB of nested
 * lists. A folder list, a search page and the structure of a mail with a thousand parts fit.
 */
export const maxLine = 128 * 1024

/** Largest literal. Unit: bytes. Reason: twice the largest fetch (`maxPiece`, `maxTextBytes`). */
const maxLiteral = 2 * 1024 * 1024

/** Largest response with all its literals. Unit: bytes. */
const maxResponse = 4 * 1024 * 1024

/** Limits of one response, as options of imapflow. */
export const ofOneAnswer = { maxLineLength: maxLine, maxLiteralSize: maxLiteral, maxResponseSize: maxResponse }

/** The same limits for RawCommands. */
export const ofOneRawAnswer: LineBounds = { line: maxResponse, text: maxLine, literal: maxLiteral }

/**
 * Maximum number of folder responses during one piece of work, and of their bytes. Reason: each folder is listed up to
 * three times and costs 2 KB here; 10,000 folders are far above any person's.
 */
const maxFolderAnswers = 30_000
const maxFolderBytes = 8 * 1024 * 1024

/**
 * Maximum number of responses during one piece of work, and of their bytes. Reason: emptying a folder reports each of
 * 100,000 messages; the largest draft has 35 MiB.
 */
export const maxAnswers = 250_000
export const maxBytes = 64 * 1024 * 1024

interface Answer {
  readonly payload?: Buffer
  readonly literals?: ReadonlyArray<Buffer>
}

/**
 * Installs the limits; call before the client connects. Calls `exceeded` once. The returned function resets the
 * counters for the next piece of work.
 */
export const boundAnswers = (client: ImapFlow, exceeded: () => void): (() => void) => {
  const { streamer } = client as unknown as { readonly streamer: { read: () => Answer | null } }
  const read = streamer.read.bind(streamer)
  const nothing = { answers: 0, bytes: 0, folderAnswers: 0, folderBytes: 0 }
  let said = { ...nothing }
  let over = false
  streamer.read = () => {
    if (over) return null
    const answer = read()
    if (answer === null) return null
    const { literals = [], payload } = answer
    const bytes = literals.reduce((sum, literal) => sum + literal.length, payload?.length ?? 0)
    said.answers += 1
    said.bytes += bytes
    if (payload !== undefined && ofFolders.test(payload.toString("latin1", 0, beginning))) {
      said.folderAnswers += 1
      said.folderBytes += bytes
    }
    over =
      said.answers > maxAnswers ||
      said.bytes > maxBytes ||
      said.folderAnswers > maxFolderAnswers ||
      said.folderBytes > maxFolderBytes
    if (!over) return answer
    exceeded()
    return null
  }
  return () => void (said = { ...nothing })
}

/** Length of the prefix to test. Unit: bytes. Reason: the longest response name. */
const beginning = 10

const ofFolders = /^\* (?:LIST|LSUB|XLIST|STATUS) /i
