/** Sends commands that imapflow lacks, such as SORT and THREAD. */
import { Result } from "effect"
import { type Value, readValues } from "#protocols/imap-watch/Values.ts"
import type { RawCommands } from "./RawCommands.ts"

/** Deepest nesting of lists in a response. Reason: a conversation takes one level for each reply that has siblings. */
const maxNesting = 25

/**
 * Sends the command, which must not contain literals. Returns the values of each untagged response with this name,
 * except for responses that cannot be decoded. Throws errors of imapflow's form.
 */
export const command = async (
  raw: RawCommands,
  text: string,
  answer: string
): Promise<ReadonlyArray<ReadonlyArray<Value>>> => {
  const found: Array<ReadonlyArray<Value>> = []
  await raw.ask([text], (line) => {
    const begin = /^\* (\w+)/.exec(line[0]!)
    if (begin?.[1]!.toUpperCase() !== answer) return false
    const values = readValues(line, begin[0].length, maxNesting)
    if (Result.isSuccess(values)) found.push(values.success)
    return true
  })
  return found
}

/** Whether the text is a message number. Source: RFC 9051 §9, nz-number. */
export const isNumber = (text: string): boolean => /^[1-9]\d{0,9}$/.test(text)

/** Numbers of a set such as `3:5,9`, in order, at most `most`. */
export const numbersOf = (set: string, most: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (const range of set.split(",")) {
    const [first = "", last = first] = range.split(":")
    if (!isNumber(first) || !isNumber(last)) continue
    const step = Number(first) <= Number(last) ? 1 : -1
    for (
      let at = Number(first);
      found.length < most &&
      (last === first ? at === Number(first) : step > 0 ? at <= Number(last) : at >= Number(last));
      at += step
    )
      found.push(at)
  }
  return found
}
