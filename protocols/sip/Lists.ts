/**
 * Header values that hold several things between commas. Pure; joining the pieces gives the value back. Source: RFC
 * 3261 §7.3.1.
 */

/**
 * The pieces, with their spaces. Commas in quotes and in angle brackets part nothing; an open quote or bracket holds
 * all the rest.
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

/** Changes each piece. */
export const eachPiece = (value: string, change: (piece: string) => string): string =>
  pieces(value).map(change).join(",")

/** Where a name-addr's `<` stands, outside quotes; -1 when it is a bare address. Source: RFC 3261 §25.1 `name-addr`. */
export const bracket = (piece: string): number => {
  let quoted = false
  for (let at = 0; at < piece.length; at++) {
    if (quoted && piece[at] === "\\") at += 1
    else if (piece[at] === '"') quoted = !quoted
    else if (piece[at] === "<" && !quoted) return at
  }
  return -1
}
