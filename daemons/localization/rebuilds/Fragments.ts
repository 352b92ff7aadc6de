/**
 * Cuts a message into HTML fragments that an engine may translate, and puts the translations together again. Pure.
 *
 * Placeholders and line breaks become empty elements, which engines keep. Each form of a plural is a sentence of its
 * own, with all the text around the plural, because languages change more than one word. The placeholders are compared
 * afterwards; a difference means that the English text stays.
 */
import { Result } from "effect"
import { maxText, missingPlaceholders, readMessage, unknownPlaceholders } from "../texts/Exports.ts"
import { type Leaf, treeOf, writeTree } from "./MessageTree.ts"

export interface Fragments {
  /** HTML; empty when the text has nothing to translate. */
  readonly html: ReadonlyArray<string>
  /** The translated message, or why it is not usable. `translated`: in the order of `html`. */
  readonly join: (translated: ReadonlyArray<string>) => Result.Result<string, string>
}

/** The fragments of a message for a language, or why an engine cannot translate it. */
export const fragmentsOf = (text: string, locale: string): Result.Result<Fragments, string> => {
  const message = readMessage(text)
  if (Result.isFailure(message)) return Result.fail(message.failure)
  const tree = treeOf(message.success, text)
  if (Result.isFailure(tree)) return Result.fail(tree.failure)
  const leaves = tree.success.leaves
  // A leaf without letters, such as a single placeholder, is the same in all languages.
  const asked = leaves.filter((leaf) => leaf.some((piece) => piece._tag === "Text" && /\p{L}/u.test(piece.text)))
  return Result.succeed({
    html: asked.map(htmlOf),
    join: (translated) => {
      const written = new Map<Leaf, Leaf>()
      for (const [index, leaf] of asked.entries()) {
        const back = leafOf(translated[index] ?? "", leaf)
        if (Result.isFailure(back)) return Result.fail(back.failure)
        written.set(leaf, back.success)
      }
      const whole = writeTree(tree.success, locale, (leaf) => written.get(leaf) ?? leaf)
      if (Result.isFailure(whole)) return whole
      if (whole.success.length > maxText || whole.success.trim() === "") return Result.fail("is empty or too long")
      const result = readMessage(whole.success)
      if (Result.isFailure(result)) return Result.fail(result.failure)
      const changed = [
        ...missingPlaceholders(message.success, result.success),
        ...unknownPlaceholders(message.success, result.success)
      ]
      return changed.length > 0 ? Result.fail(`has other placeholders: ${changed.join(", ")}`) : whole
    }
  })
}

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" }

const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")

const htmlOf = (leaf: Leaf): string =>
  leaf.map((piece, index) => (piece._tag === "Text" ? escaped(piece.text) : `<x id="${index}"></x>`)).join("")

/** Matches a placeholder element in a translation, in all spellings that engines use. */
const marker = /<x\s+id\s*=\s*["']?(\d{1,4})["']?\s*(?:\/>|>\s*<\/x\s*>)/giu

/** The pieces of a translated leaf, or why it is not usable. */
const leafOf = (html: string, source: Leaf): Result.Result<Leaf, string> => {
  const pieces: Array<Leaf[number]> = []
  const left = new Set(source.flatMap((piece, index) => (piece._tag === "Text" ? [] : [index])))
  let end = 0
  let text = ""
  const close = (until: number) => {
    const part = html.slice(end, until)
    if (/[<>]/.test(part)) return false
    const plain = part.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/giu, (whole, decimal, hex, name) =>
      name === undefined
        ? character(decimal === undefined ? parseInt(hex, 16) : Number(decimal))
        : (named[name] ?? whole)
    )
    text += plain
    if (plain !== "") pieces.push({ _tag: "Text", text: plain })
    return true
  }
  for (const found of html.matchAll(marker)) {
    const index = Number(found[1])
    if (!left.delete(index)) return Result.fail("repeats a placeholder")
    if (!close(found.index)) return Result.fail("has markup")
    pieces.push(source[index]!)
    end = found.index + found[0].length
  }
  if (!close(html.length)) return Result.fail("has markup")
  if (left.size > 0) return Result.fail("lacks a placeholder")
  const before = source.map((piece) => (piece._tag === "Text" ? piece.text : "")).join("")
  for (const sign of "<>{}")
    if (count(before, sign) !== count(text, sign)) return Result.fail(`has not the same number of ${sign}`)
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text) || !text.isWellFormed()) return Result.fail("has control characters")
  return Result.succeed(withSpaces(pieces, source))
}

const count = (text: string, sign: string): number => text.split(sign).length - 1

const character = (code: number): string =>
  code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "\ufffd"

/** Gives a translation the same white space at both ends as its source, because engines remove it. */
const withSpaces = (pieces: ReadonlyArray<Leaf[number]>, source: Leaf): Leaf => {
  const result = [...pieces]
  const fix = (at: number, wanted: Leaf[number] | undefined, trim: (text: string) => string, end: boolean) => {
    const space = wanted?._tag === "Text" ? wanted.text.slice(end ? wanted.text.trimEnd().length : 0) : ""
    const only = end ? space : space.slice(0, space.length - space.trimStart().length)
    const piece = result[at]
    if (piece?._tag === "Text") {
      const bare = trim(piece.text)
      result[at] = { _tag: "Text", text: end ? bare + only : only + bare }
    } else if (only !== "") result.splice(end ? result.length : 0, 0, { _tag: "Text", text: only })
  }
  fix(0, source[0], (text) => text.trimStart(), false)
  fix(result.length - 1, source.at(-1), (text) => text.trimEnd(), true)
  return result
}
