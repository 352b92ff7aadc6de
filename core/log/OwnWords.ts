/**
 * Text of a failure without words of the other side. A mail server's refusal can name subscribers, and a peer can write
 * anything into its answer. Logs keep the whole message; `/health` and answers to callers use this text.
 */

/** An error whose `message` quotes the other side implements this. */
export interface Quoting {
  /** What failed, in our own words. */
  readonly ownWords: string
}

/** Longest text. Unit: characters. */
const maxLength = 500

/** `ownWords` of an error that quotes, else the first line of its message. Pure. */
export const ownWordsOf = (error: unknown): string => {
  const text =
    typeof error === "object" && error !== null && "ownWords" in error && typeof error.ownWords === "string"
      ? error.ownWords
      : error instanceof Error
        ? error.message === ""
          ? error.name
          : error.message
        : String(error)
  return text.split("\n", 1)[0]!.slice(0, maxLength)
}
