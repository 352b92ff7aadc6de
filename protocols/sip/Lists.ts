/**
 * Splits header values that hold several comma-separated items. Pure; joining the items with commas restores the value.
 * Source: RFC 3261 §7.3.1.
 */

/**
 * The items with their white space. Commas inside quotes and angle brackets do not separate. An unclosed quote or
 * bracket extends to the end.
 */
export const pieces = (value: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let from = 0
  let quoted = false
  let bracketed = false
  for (let at = 0; at < value.length; at++) {
    const char = value[at]
    if (quoted && char === "\\") at += 1
    else if (char === '"' && !bracketed) quoted = !quoted
    else if (quoted) continue
    else if (char === "<") bracketed = true
    else if (char === ">") bracketed = false
    else if (char === "," && !bracketed) {
      found.push(value.slice(from, at))
      from = at + 1
    }
  }
  return [...found, value.slice(from)]
}

/** Applies `change` to each item. */
export const eachPiece = (value: string, change: (piece: string) => string): string =>
  pieces(value).map(change).join(",")

/**
 * Index of the `<` of a name-addr, outside quotes; -1 for an address without brackets. Source: RFC 3261 §25.1
 * `name-addr`.
 */
export const bracket = (piece: string): number => {
  let quoted = false
  for (let at = 0; at < piece.length; at++) {
    if (quoted && piece[at] === "\\") at += 1
    else if (piece[at] === '"') quoted = !quoted
    else if (piece[at] === "<" && !quoted) return at
  }
  return -1
}
