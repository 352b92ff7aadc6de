/**
 * Parser for the block syntax of nginx (statements end with `;`) and Caddy (statements end with the line). Independent
 * of the directives. Pure.
 *
 * The library nginx-conf 2.1.0 returns no line numbers and reads no Caddyfile; npm has no parser of Caddyfiles with 500
 * downloads a month. It has 620 lines, this file 90.
 */
import { maxDepth } from "./Read.ts"

export interface Statement {
  readonly words: ReadonlyArray<string>
  /** Statements in braces; undefined without braces. */
  readonly block: ReadonlyArray<Statement> | undefined
  /** Line number, starting at 1. */
  readonly line: number
}

interface Token {
  readonly text: string
  readonly kind: "word" | "open" | "close" | "end"
  readonly line: number
}

/** Statements of a file, or the reason why it cannot be parsed. */
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
        if (stack.length > maxDepth) return { problem: `line ${token.line}: more than ${maxDepth} nested blocks` }
        stack.push({ statements: [], words, line: words.length === 0 ? token.line : line })
        words = []
        break
      case "close": {
        put()
        const done = stack.pop()!
        if (stack.length === 0) return { problem: `line ${token.line}: a closing brace without an opening one` }
        stack.at(-1)!.statements.push({ words: done.words, block: done.statements, line: done.line })
      }
    }
  }
  put()
  return stack.length > 1 ? { problem: "a block is not closed" } : stack[0]!.statements
}

/**
 * Token patterns. Groups: two kinds of quoted text, comment, newline, blanks, `;`, brace, word, anything else. In nginx
 * every brace outside `${name}` is a token; in Caddy only a brace that stands alone, so that `{$NAME}` is a word.
 */
const patterns = {
  ";": new RegExp(
    /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(#[^\n]*)|(\n)|([^\S\n]+)|(;)|/.source +
      /([{}])|((?:\$\{[^}\s]*\}|[^\s;{}"'])+)|(.)/.source,
    "gsy"
  ),
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
