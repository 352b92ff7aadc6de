/**
 * Limits the data that a mail server may send during one piece of work. imapflow limits the length of a line and a
 * literal, but not their number: an endless folder list would fill the memory. Pure.
 */
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
export const maxFolderAnswers = 30_000
const maxFolderBytes = 8 * 1024 * 1024

/**
 * Maximum number of responses during one piece of work, and of their bytes. Reason: emptying a folder reports each of
 * 100,000 messages; the largest draft has 35 MiB.
 */
export const maxAnswers = 250_000
export const maxBytes = 64 * 1024 * 1024

/** Counters of one piece of work. */
export class AnswerCount {
  #answers = 0
  #bytes = 0
  #folderAnswers = 0
  #folderBytes = 0

  /** Resets the counters for the next piece of work. */
  reset(): void {
    this.#answers = this.#bytes = this.#folderAnswers = this.#folderBytes = 0
  }

  /** Counts received bytes, before their responses are complete. */
  addBytes(bytes: number): void {
    this.#bytes += bytes
  }

  /** Counts a complete response. `head`: its first bytes; `bytes`: its length. */
  addAnswer(head: string, bytes: number): void {
    this.#answers += 1
    if (!ofFolders.test(head)) return
    this.#folderAnswers += 1
    this.#folderBytes += bytes
  }

  /** Whether a limit is exceeded. */
  get over(): boolean {
    return (
      this.#answers > maxAnswers ||
      this.#bytes > maxBytes ||
      this.#folderAnswers > maxFolderAnswers ||
      this.#folderBytes > maxFolderBytes
    )
  }
}

const ofFolders = /^\* (?:LIST|LSUB|XLIST|STATUS) /i
