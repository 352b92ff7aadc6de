/**
 * The documents that become pages: docs/README.md and every Markdown file that a chain of links leads to. Linked files
 * of configuration become pages with their text. Other targets, such as sources, have no page.
 */
import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { Marked, type Token, type Tokens } from "marked"

export interface Document {
  /** Path from the root of the project. */
  readonly path: string
  /** Path of its page below the guide: `quick-start.html`. */
  readonly page: string
  readonly title: string
  /** Markdown, or the text of a file of configuration. */
  readonly text: string
  readonly headings: ReadonlyArray<string>
}

/** The first page. */
export const first = "docs/README.md"

/** Path of a document's page: a README is the page of its folder, documents of docs/ are at the top. Pure. */
export const pageOf = (path: string): string => {
  if (path === first) return "index.html"
  const name = path
    .replace(/^docs\//, "")
    .replace(/\/README\.md$/, "")
    .replace(/\.md$/, "")
  return `${path.includes("/") ? name : `project/${name.toLowerCase()}`}.html`
}

/** Anchor of a heading, as GitHub makes it. Pure. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-")

/** Target of a link without anchor, as a path from the root; undefined for other hosts and for anchors. Pure. */
export const targetOf = (from: string, href: string): string | undefined => {
  const [file = ""] = href.split("#")
  if (file === "" || /^[a-z]+:/i.test(href)) return undefined
  return posix.normalize(posix.join(dirname(from), file)).replace(/\/$/, "")
}

const lexer = new Marked({ gfm: true })

const tokensOf = (text: string): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  lexer.walkTokens(lexer.lexer(text), (token: Token) => void tokens.push(token))
  return tokens
}

/** Path of the document that a target stands for; undefined when it has no page. */
const documentAt = (root: string, target: string): string | undefined => {
  const path = join(root, target)
  if (target.startsWith("..") || !existsSync(path)) return undefined
  if (statSync(path).isDirectory()) return documentAt(root, `${target}/README.md`)
  return target.endsWith(".md") || target.startsWith("config/") ? target : undefined
}

const read = (root: string, path: string): Document => {
  const text = readFileSync(join(root, path), "utf8")
  const headings = path.endsWith(".md")
    ? tokensOf(text)
        .filter((token): token is Tokens.Heading => token.type === "heading")
        .map((token) => token.text.replaceAll("`", ""))
    : []
  return { path, page: pageOf(path), title: headings[0] ?? path, text, headings: headings.slice(1) }
}

/** All documents in the order in which links lead to them, and the page of each link target. */
export const collect = (root: string): ReadonlyMap<string, Document> => {
  const found = new Map<string, Document>()
  const waiting = [first]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (found.has(path)) continue
    const document = read(root, path)
    found.set(path, document)
    if (!path.endsWith(".md")) continue
    for (const token of tokensOf(document.text)) {
      const target = token.type === "link" ? targetOf(path, (token as Tokens.Link).href) : undefined
      const next = target === undefined ? undefined : documentAt(root, target)
      if (next !== undefined) waiting.push(next)
    }
  }
  return found
}
