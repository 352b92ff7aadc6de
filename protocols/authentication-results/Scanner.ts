/**
 * Scanner that reads a structured header word by word. Pure. It never backtracks, so it is linear in the length.
 * Source: RFC 8601 §2.2, RFC 5322 §3.2.
 */

export interface Scanner {
  readonly position: () => number
  readonly atEnd: () => boolean
  readonly at: (char: string) => boolean
  /** Consumes `char` if it is next, and returns whether it was. */
  readonly take: (char: string) => boolean
  /** Skips white space and comments. False when a comment is not closed or nests too deep. */
  readonly space: () => boolean
  /** Reads letters, digits, `-` and `_`; returns them in lower case. */
  readonly keyword: () => string | undefined
  /** Reads a whole number; Infinity when it is too large for a number. */
  readonly digits: () => number | undefined
  /** Reads a word up to white space, `;` or a comment, and removes quotes. "" when `;` or the end is next. */
  readonly value: () => string | undefined
}

/** Deepest nesting of comments. Reason: real comments nest at most twice. */
const maxCommentDepth = 20

export const scanner = (text: string): Scanner => {
  let at = 0

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }

  const comment = (): boolean => {
    let depth = 0
    do {
      const char = text.charAt(at)
      if (char === "") return false
      if (char === "\\") at++
      else if (char === "(" && ++depth > maxCommentDepth) return false
      else if (char === ")") depth--
      at++
    } while (depth > 0)
    return true
  }

  const quoted = (): string | undefined => {
    let value = ""
    for (at++; at < text.length; at++) {
      const char = text.charAt(at)
      if (char === '"') {
        at++
        return value
      }
      if (char === "\\") at++
      value += text.charAt(at)
    }
    return undefined
  }

  return {
    position: () => at,
    atEnd: () => at >= text.length,
    at: (char) => text.charAt(at) === char,
    take: (char) => {
      if (text.charAt(at) !== char) return false
      at++
      return true
    },
    space: () => {
      while (true) {
        match(/[ \t\r\n]+/y)
        if (text.charAt(at) !== "(") return true
        if (!comment()) return false
      }
    },
    keyword: () => match(/[A-Za-z0-9][A-Za-z0-9_-]*/y)?.toLowerCase(),
    digits: () => {
      const found = match(/[0-9]+/y)
      return found === undefined ? undefined : Number(found)
    },
    value: () => {
      if (at >= text.length || text.charAt(at) === ";") return ""
      if (text.charAt(at) !== '"') return match(bare)
      const first = quoted()
      if (first === undefined || text.charAt(at) !== "@") return first
      // A quoted local part of an address. The caller takes the last @ as the separator.
      const rest = match(bare)
      return rest === undefined ? undefined : `${first}${rest}`
    }
  }
}

/** An unquoted word: ends at a space, quote, `;`, backslash or parenthesis. */
const bare = /[^\s";()\\]+/y
