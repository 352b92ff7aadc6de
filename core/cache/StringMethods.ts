/**
 * How fast strings are, in the whole process. A class that extends String (ioredis has one) makes V8 turn
 * String.prototype into the form in which it keeps objects that are still being made, and no use of plain strings turns
 * it back: from then on each call of a string's method looks it up anew, even in optimised code, and whoever reads
 * texts sign by sign takes several times as long.
 */

/**
 * Uses after which V8 keeps an inline cache for a function, which is what looks at the prototype again. Unit: uses.
 * Reason: 8 in V8 13; some more.
 */
const uses = 32

/** To be called after such a class was made. */
export const quickenStrings = (): void => {
  const text = Object("")
  for (let use = 0; use < uses; use += 1) methodOf(text)
}

const methodOf = (text: string) => text.charCodeAt
