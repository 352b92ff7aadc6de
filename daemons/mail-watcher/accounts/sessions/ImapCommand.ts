/** Commands that the IMAP library has no call for (SORT, THREAD), sent by it. */
import type { ImapFlow } from "imapflow"

/** A token of an answer, or of a command; lists are arrays. */
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

/** Sends it and gives the tokens of each untagged answer of these names. Throws what the library throws. */
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

/** Whether it is a number of a message. Source: RFC 9051 §9, nz-number. */
export const isNumber = (text: string): boolean => /^[1-9]\d{0,9}$/.test(text)

/** The numbers of `3:5,9`, in the order they stand there, at most so many. */
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
