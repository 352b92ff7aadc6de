// Finds the imports of a TypeScript file. It works on the compiler's tokens, so that text in comments, strings,
// templates and regular expressions does not count. Pure; resolves no path.

import { SyntaxKind } from "typescript/unstable/ast"
import { createScanner } from "typescript/unstable/ast/scanner"

/** One module specifier in a file. */
export interface Import {
  readonly specifier: string
  /** Line number, from 1. */
  readonly line: number
  /** Whether the statement is an `import type` or `export type`, which does not exist at run time. */
  readonly typeOnly: boolean
}

interface Token {
  readonly kind: SyntaxKind
  /** Source text; for a string literal, its value. */
  readonly value: string
  readonly at: number
}

/**
 * All module specifiers: `import` and `export … from` with or without `type`, `import("…")` as value and as type,
 * `require("…")`, `import.meta.resolve("…")`, and `new URL("./…", import.meta.url)`, which starts workers.
 */
export const importsOf = (text: string): ReadonlyArray<Import> => {
  const tokens = tokensOf(text)
  return tokens.flatMap((token, index) => {
    const found = tokens[index - 1]?.value === "." ? undefined : moduleAt(tokens, index)
    return found === undefined
      ? []
      : [{ specifier: found.value, line: lineOf(text, token.at), typeOnly: isTypeOnly(tokens, index) }]
  })
}

/** `type` after the keyword names a default import when `from` or a comma follows it. */
const isTypeOnly = (tokens: ReadonlyArray<Token>, index: number): boolean =>
  tokens[index + 1]?.value === "type" && !/^(?:from|,)$/u.test(tokens[index + 2]?.value ?? "")

const moduleAt = (tokens: ReadonlyArray<Token>, index: number): Token | undefined => {
  const token = tokens[index]
  if (token === undefined || isString(token)) return undefined
  switch (token.value) {
    case "import": {
      const next = tokens[index + 1]
      if (next === undefined) return undefined
      if (isString(next)) return next
      if (next.value === "(") return stringAt(tokens, index + 2)
      if (next.value === ".")
        return spells(tokens, index + 2, ["meta", ".", "resolve", "("]) ? stringAt(tokens, index + 6) : undefined
      return fromClause(tokens, index + 1)
    }
    case "export": {
      const first = tokens[index + 1]?.value === "type" ? index + 2 : index + 1
      const opens = tokens[first]?.value
      return opens === "{" || opens === "*" ? fromClause(tokens, first) : undefined
    }
    case "require":
      return spells(tokens, index + 1, ["("]) ? stringAt(tokens, index + 2) : undefined
    case "new": {
      if (!spells(tokens, index + 1, ["URL", "("])) return undefined
      const file = stringAt(tokens, index + 3)
      return file?.value.startsWith(".") === true && spells(tokens, index + 4, [",", "import", ".", "meta"])
        ? file
        : undefined
    }
    default:
      return undefined
  }
}

/**
 * The specifier after `from`. Skips names, `*`, `as` and one pair of braces. Undefined when the clause is no import.
 */
const fromClause = (tokens: ReadonlyArray<Token>, start: number): Token | undefined => {
  let insideBraces = false
  for (let index = start; index < tokens.length; index++) {
    const token = tokens[index]!
    if (token.value === "{" && !isString(token)) insideBraces = true
    else if (token.value === "}" && !isString(token)) insideBraces = false
    else if (!insideBraces && token.value === "from" && isStringAt(tokens, index + 1)) return tokens[index + 1]
    else if (!insideBraces && !/^(?:[\w$]+|,|\*)$/u.test(token.value)) return undefined
  }
  return undefined
}

const isString = (token: Token): boolean =>
  token.kind === SyntaxKind.StringLiteral || token.kind === SyntaxKind.NoSubstitutionTemplateLiteral
const isStringAt = (tokens: ReadonlyArray<Token>, index: number): boolean =>
  tokens[index] !== undefined && isString(tokens[index])
const stringAt = (tokens: ReadonlyArray<Token>, index: number): Token | undefined =>
  isStringAt(tokens, index) ? tokens[index] : undefined
const spells = (tokens: ReadonlyArray<Token>, index: number, values: ReadonlyArray<string>): boolean =>
  values.every((value, offset) => tokens[index + offset]?.value === value)

const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length

/** Tokens that end an operand. A slash after one of them divides; any other slash opens a regular expression. */
const endsAnOperand = new Set<SyntaxKind>([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
  SyntaxKind.SuperKeyword
])

const tokensOf = (text: string): ReadonlyArray<Token> => {
  const scanner = createScanner(true)
  scanner.setText(text)
  const tokens: Array<Token> = []
  /** One entry per open brace; true when its closing brace continues a template. */
  const braces: Array<boolean> = []
  for (;;) {
    const from = scanner.getTokenEnd()
    let kind = scanner.scan()
    if (kind === SyntaxKind.EndOfFile) return tokens
    // The scanner stays before some characters that no token begins with, such as the # of `#{` in the text of JSX.
    if (scanner.getTokenEnd() === from) {
      scanner.resetTokenState(from + 1)
      continue
    }
    const before = tokens.at(-1)?.kind
    if (
      (kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken) &&
      (before === undefined || !endsAnOperand.has(before))
    ) {
      kind = scanner.reScanSlashToken()
    }
    if (kind === SyntaxKind.OpenBraceToken) braces.push(false)
    if (kind === SyntaxKind.TemplateHead) braces.push(true)
    if (kind === SyntaxKind.CloseBraceToken && braces.pop() === true) {
      kind = scanner.reScanTemplateToken(false)
      if (kind === SyntaxKind.TemplateMiddle) braces.push(true)
    }
    const literal = kind === SyntaxKind.StringLiteral || kind === SyntaxKind.NoSubstitutionTemplateLiteral
    tokens.push({
      kind,
      value: literal ? scanner.getTokenValue() : scanner.getTokenText(),
      at: scanner.getTokenStart()
    })
  }
}
