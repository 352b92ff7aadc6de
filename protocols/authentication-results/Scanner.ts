/**
 * The words of a structured header, one after the other. Pure. Nothing backtracks: linear in the length. Source: RFC
 * 8601 §2.2, RFC 5322 §3.2.
 */

export interface Scanner {
  readonly position: () => number
  readonly atEnd: () => boolean
  readonly at: (char: string) => boolean
  /** Steps over `char` if it is next. */
  readonly take: (char: string) => boolean
  /** Steps over white space and comments, if any; false at a comment that is not closed or is too deep. */
  readonly space: () => boolean
  /** Letters, digits, `-` and `_`, in lower case. */
  readonly keyword: () => string | undefined
  /** A whole number; Infinity when it is beyond counting. */
  readonly digits: () => number | undefined
  /** A word up to white space, `;` or a comment, with its quoted part unquoted; "" where `;` or the end is next. */
  readonly value: () => string | undefined
}

/** Deepest comment in a comment. Reason: real ones nest to two. */
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
      // A quoted local part. Whoever reads on sees the @ that counts as the last one.
      const rest = match(bare)
      return rest === undefined ? undefined : `${first}${rest}`
    }
  }
}

/** No space, quotes, `;`, backslash or parentheses: those end a word or make it none. */
const bare = /[^\s";()\\]+/y
