/**
 * How much a mail server may say while one piece of work is done. The IMAP library bounds a line and a string, not how many there are: a
 * list of folders without an end is kept until there is no memory left.
 */
import type { ImapFlow } from "imapflow"
import type { LineBounds } from "#protocols/imap-watch/Lines.ts"

/** Longest line without its literals. Unit: bytes. Reason: reading one stops the event loop, 100 kB of nested lists for some 50 ms; the list
 * of folders, a page of a search, the structure of a mail with a thousand parts fit. */
export const maxLine = 128 * 1024

/** Largest string of known length. Unit: bytes. Reason: twice what is asked for at once (`maxPiece`, `maxTextBytes`). */
const maxLiteral = 2 * 1024 * 1024

/** One response, all its strings together. Unit: bytes. */
const maxResponse = 4 * 1024 * 1024

/** Bounds of one answer, as the library takes them. */
export const ofOneAnswer = { maxLineLength: maxLine, maxLiteralSize: maxLiteral, maxResponseSize: maxResponse }

/** The same for answers that the library does not see. */
export const ofOneRawAnswer: LineBounds = { line: maxResponse, text: maxLine, literal: maxLiteral }

/** Answers about folders, and their bytes. Reason: each folder is listed up to three times, and 10,000 are far above any person's; each costs 2 KB here. */
const maxFolderAnswers = 30_000
const maxFolderBytes = 8 * 1024 * 1024

/** All answers, and their bytes. Reason: a folder of 100,000 that is emptied tells of each; the largest draft has 35 MiB. */
export const maxAnswers = 250_000
export const maxBytes = 64 * 1024 * 1024

interface Answer {
  readonly payload?: Buffer
  readonly literals?: ReadonlyArray<Buffer>
}

/** To be called before the client connects; `exceeded` is called once. What is answered begins the count anew, for the next piece of work. */
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

/** Unit: bytes. Reason: the longest of the words. */
const beginning = 10

const ofFolders = /^\* (?:LIST|LSUB|XLIST|STATUS) /i
