/**
 * Files of words, braces and ends of statements, as nginx (`;` ends one) and Caddy (the line ends one) have them. Pure. It knows no directive.
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
  const stack: Array<{ readonly statements: Array<Statement>; readonly words: ReadonlyArray<string>; readonly line: number }> = [{ statements: [], words: [], line: 0 }]
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
        if (stack.length > maxDepth) return { problem: `line ${token.line}: more than ${maxDepth} blocks in one another` }
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

function* tokensOf(text: string, ends: ";" | "line"): Generator<Token> {
  // A quoted text, a comment, a brace, an end, or a word; a brace inside a word (`{$NAME}`, `a{2}`) is part of it.
  const pattern = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(#[^\n]*)|(\n)|([^\S\n]+)|(;)|([{}])(?=\s|;|$|#)|([^\s;"'#]+(?:#[^\s;]*)*)|(.)/gsy
  let line = 1
  for (const match of text.matchAll(pattern)) {
    const [whole, double, single, comment, newline, blank, semicolon, brace, bare, other] = match
    if (double !== undefined || single !== undefined) yield { kind: "word", text: (double ?? single)!, line }
    else if (newline !== undefined) {
      if (ends === "line") yield { kind: "end", text: "", line }
    } else if (semicolon !== undefined) yield ends === ";" ? { kind: "end", text: "", line } : { kind: "word", text: ";", line }
    else if (brace !== undefined) yield { kind: brace === "{" ? "open" : "close", text: brace, line }
    else if (bare !== undefined) {
      const glued = ends === ";" && bare.length > 1 && /[{}]$/.test(bare) && !/^\{|\$\{[^}]*\}$|\{\d+(?:,\d*)?\}$/.test(bare)
      yield { kind: "word", text: glued ? bare.slice(0, -1) : bare, line }
      if (glued) yield { kind: bare.endsWith("{") ? "open" : "close", text: "", line }
    } else if (comment === undefined && blank === undefined) yield { kind: "word", text: other!, line }
    line += whole.split("\n").length - 1
  }
}
