/**
 * Restores the speed of string methods for the whole process. A class that extends String (ioredis has one) puts
 * String.prototype into V8's slow mode, and using plain strings does not end that mode. Every call of a string method
 * then looks the method up again, even in optimised code. Code that reads text character by character becomes several
 * times slower.
 */

/**
 * Number of calls after which V8 keeps an inline cache for a function, which makes it optimise the prototype again.
 * Reason: 8 in V8 13, with a margin.
 */
const uses = 32

/** Call this after such a class was loaded. */
export const quickenStrings = (): void => {
  const text = Object("")
  for (let use = 0; use < uses; use += 1) methodOf(text)
}

const methodOf = (text: string) => text.charCodeAt
