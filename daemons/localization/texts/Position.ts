/** The position in a list of texts, as `after` writes it: rank, colon, key. Pure. */
import type { Position, TextRow } from "./TextList.ts"
import { rankOf } from "./TextList.ts"

export const writePosition = ({ key, state }: Pick<TextRow, "key" | "state">): string => `${rankOf(state)}:${key}`

/** Undefined for a text that is no position. */
export const readPosition = (text: string): Position | undefined => {
  const found = /^([0-3]):([A-Za-z0-9].*)$/.exec(text)
  return found === null ? undefined : { rank: Number(found[1]), key: found[2]! }
}
