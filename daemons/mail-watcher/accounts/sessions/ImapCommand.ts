/**
 * Sends SORT and THREAD through imapflow. This file calls the library's private `exec`, because its public API lacks
 * these commands.
 */
import type { ImapFlow } from "imapflow"

/** A token of a command or response. Lists are arrays. */
export interface Atom {
  readonly type: string
  readonly value: string
}
export type Token = Atom | null | ReadonlyArray<Token>

export const atom = (value: string): Atom => ({ type: "ATOM", value })

interface Executor {
  readonly exec: (
    name: string,
    tokens: ReadonlyArray<Token>,
    options: {
      readonly untagged: Readonly<
        Record<string, (answer: { readonly attributes?: ReadonlyArray<Token> }) => Promise<void>>
      >
    }
  ) => Promise<{ readonly next: () => void }>
}

/**
 * Sends the command and returns the tokens of each untagged response with one of these names. Throws the library's
 * errors.
 */
export const command = async (
  client: ImapFlow,
  name: string,
  tokens: ReadonlyArray<Token>,
  answers: ReadonlyArray<string>
): Promise<ReadonlyArray<ReadonlyArray<Token>>> => {
  const found: Array<ReadonlyArray<Token>> = []
  const untagged = Object.fromEntries(
    answers.map((answer) => [
      answer,
      async ({ attributes }: { readonly attributes?: ReadonlyArray<Token> }) => void found.push(attributes ?? [])
    ])
  )
  const response = await (client as unknown as Executor).exec(name, tokens, { untagged })
  response.next()
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
