/** The Markdown files of the project, with their links and their code. */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { anchorOf } from "../../scripts/guide/Documents.ts"

export const root = join(import.meta.dirname, "../..")

/** Folders that are not ours or not documents. */
const skipped = new Set(["node_modules", "dist", "var", "coverage", ".git", "goldens"])

export interface Document {
  /** Path from the root of the project. */
  readonly path: string
  readonly text: string
}

/** A block of code between two lines of three backquotes. */
export interface Block {
  readonly language: string
  readonly text: string
}

const below = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? below(path) : entry.name.endsWith(".md") ? [path] : []
  })

export const documents: ReadonlyArray<Document> = below(root).map((path) => ({
  path: relative(root, path),
  text: readFileSync(path, "utf8")
}))

export const documentAt = (path: string): Document => {
  const found = documents.find((document) => document.path === path)
  if (found === undefined) throw new Error(`there is no document ${path}`)
  return found
}

const fence = /^```(\w*)[^\n]*\n(.*?)^```$/gms

export const blocksOf = ({ text }: Document): ReadonlyArray<Block> =>
  Array.from(text.matchAll(fence), ([, language, block]) => ({ language: language!, text: block! }))

/** Commands of a shell that a page shows, in their order. */
export const commandsOf = (path: string): string =>
  blocksOf(documentAt(path))
    .filter(({ language }) => language === "sh")
    .map(({ text }) => text)
    .join("")

/** The only block of language `text` of a page that contains the words. Such blocks are not run with the others. */
export const blockWith = (path: string, words: string): string => {
  const found = blocksOf(documentAt(path)).filter(({ language, text }) => language === "text" && text.includes(words))
  if (found.length !== 1) throw new Error(`${path} has ${found.length} blocks with ${words}`)
  return found[0]!.text
}

/** The text without code. */
export const proseOf = ({ text }: Document): string => text.replace(fence, "").replace(/`[^`\n]*`/g, "")

/** Code within the text. */
export const spansOf = ({ text }: Document): ReadonlyArray<string> =>
  Array.from(text.replace(fence, "").matchAll(/`([^`]+)`/g), ([, code]) => code!.replace(/\s+/g, " "))

/** Anchors of the headings, as GitHub makes them. */
export const anchorsOf = ({ text }: Document): ReadonlySet<string> =>
  new Set(Array.from(text.replace(fence, "").matchAll(/^#+ (.*)$/gm), ([, heading]) => anchorOf(heading!)))
