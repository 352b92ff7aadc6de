/**
 * Files of words, braces and ends of statements, as nginx (`;` ends one) and Caddy (the line ends one) have them. Pure.
 * It knows no directive.
 */
import { maxDepth } from "./Read.ts"

export interface Statement {
  readonly words: ReadonlyArray<string>
  /** Undefined where no block follows. */
  readonly block: ReadonlyArray<Statement> | undefined
  /** From 1. */
  readonly line: number
}

interface Token {
  readonly text: string
  readonly kind: "word" | "open" | "close" | "end"
  readonly line: number
}

/** The statements of a file, or why it cannot be read. */
export const blocksOf = (text: string, ends: ";" | "line"): ReadonlyArray<Statement> | { readonly problem: string } => {
  const stack: Array<{
    readonly statements: Array<Statement>
    readonly words: ReadonlyArray<string>
    readonly line: number
  }> = [{ statements: [], words: [], line: 0 }]
  let words: Array<string> = []
  let line = 1
  const put = (block?: ReadonlyArray<Statement>) => {
    if (words.length > 0 || block !== undefined) stack.at(-1)!.statements.push({ words, block, line })
    words = []
  }
  for (const token of tokensOf(text, ends)) {
    switch (token.kind) {
      case "word":
        if (words.length === 0) line = token.line
        words.push(token.text)
        break
      case "end":
        put()
        break
      case "open":
        if (stack.length > maxDepth)
          return { problem: `line ${token.line}: more than ${maxDepth} blocks in one another` }
        stack.push({ statements: [], words, line: words.length === 0 ? token.line : line })
        words = []
        break
      case "close": {
        put()
        const done = stack.pop()!
        if (stack.length === 0) return { problem: `line ${token.line}: a closing brace too many` }
        stack.at(-1)!.statements.push({ words: done.words, block: done.statements, line: done.line })
      }
    }
  }
  put()
  return stack.length > 1 ? { problem: "a block has no end" } : stack[0]!.statements
}

/**
 * A quoted text, a comment, a line's end, blanks, `;`, a brace, a word, anything else. In nginx a brace is one wherever
 * it stands, but for `${name}`; in Caddy only by itself, so that `{$NAME}` is a word.
 */
const patterns = {
  ";": /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(#[^\n]*)|(\n)|([^\S\n]+)|(;)|([{}])|((?:\$\{[^}\s]*\}|[^\s;{}"'])+)|(.)/gsy,
  line: /"((?:[^"\\]|\\.)*)"|`([^`]*)`|(#[^\n]*)|(\n)|([^\S\n]+)|(\0)|([{}])(?=\s|$)|([^\s"`]+)|(.)/gsy
}

function* tokensOf(text: string, ends: ";" | "line"): Generator<Token> {
  let line = 1
  for (const match of text.matchAll(patterns[ends])) {
    const [whole, double, single, comment, newline, blank, semicolon, brace, bare, other] = match
    const quoted = double ?? single
    if (quoted !== undefined) yield { kind: "word", text: quoted, line }
    else if (newline !== undefined) {
      if (ends === "line") yield { kind: "end", text: "", line }
    } else if (semicolon !== undefined) yield { kind: "end", text: "", line }
    else if (brace !== undefined) yield { kind: brace === "{" ? "open" : "close", text: brace, line }
    else if (comment === undefined && blank === undefined) yield { kind: "word", text: bare ?? other!, line }
    line += whole.split("\n").length - 1
  }
}
