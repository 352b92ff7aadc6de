/** Lines of a log as the page keeps and filters them. Pure. */
import type { LogEntry } from "./Words.ts"

/** A line with a number that stays the same while the line is shown. */
export interface Numbered {
  readonly at: number
  readonly entry: LogEntry
}

/** The lines with new ones at the end; at most `most`, the newest ones. */
export const appended = (
  lines: ReadonlyArray<Numbered>,
  fresh: ReadonlyArray<LogEntry>,
  most: number
): ReadonlyArray<Numbered> => {
  const next = (lines.at(-1)?.at ?? -1) + 1
  return [...lines, ...fresh.map((entry, index) => ({ at: next + index, entry }))].slice(-most)
}

/** Lines that contain the text, without regard to case. An empty text matches every line. */
export const matching = (lines: ReadonlyArray<Numbered>, text: string): ReadonlyArray<Numbered> => {
  const wanted = text.toLocaleLowerCase()
  return wanted === "" ? lines : lines.filter(({ entry }) => entry.text.toLocaleLowerCase().includes(wanted))
}

/** Pieces of the text, alternately without and with the wanted text. */
export const marked = (text: string, wanted: string): ReadonlyArray<string> => {
  if (wanted === "") return [text]
  const [low, part] = [text.toLocaleLowerCase(), wanted.toLocaleLowerCase()]
  // Some letters change their length in lower case; then nothing is marked.
  if (low.length !== text.length || part.length !== wanted.length) return [text]
  const pieces: Array<string> = []
  let from = 0
  for (let found = low.indexOf(part); found >= 0; found = low.indexOf(part, from)) {
    pieces.push(text.slice(from, found), text.slice(found, found + part.length))
    from = found + part.length
  }
  return [...pieces, text.slice(from)]
}
