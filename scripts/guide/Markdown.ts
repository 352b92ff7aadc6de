/** Renders a document as HTML: links lead to pages of the guide, headings have anchors, pictures are drawn. Pure. */
import { Marked, type Parser, type Tokens } from "marked"
import { guidePath } from "../../core/gateway/FrontPage.ts"
import { escaped } from "../../core/html/Escape.ts"
import { anchorOf, type Document, targetOf } from "./Documents.ts"
import { draw } from "./Mermaid.ts"

/** The body of a document's page. */
export const render = (document: Document, documents: ReadonlyMap<string, Document>): string =>
  document.path.endsWith(".md")
    ? markdown(document, documents)
    : `<h1>${escaped(document.title)}</h1>${block(document.text)}`

const block = (text: string): string => `<pre tabindex="0"><code>${escaped(text)}</code></pre>`

/** What the library gives to its renderers. */
interface Rendering {
  readonly parser: Parser
}

const markdown = (document: Document, documents: ReadonlyMap<string, Document>): string => {
  const seen = new Map<string, number>()
  const anchor = (heading: string): string => {
    const name = anchorOf(heading)
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    return count === 0 ? name : `${name}-${count}`
  }
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading(this: Rendering, { depth, text, tokens }: Tokens.Heading): string {
        const id = anchor(text)
        return `<h${depth} id="${escaped(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link(this: Rendering, { href, tokens }: Tokens.Link): string {
        const words = this.parser.parseInline(tokens)
        const address = addressOf(document.path, href, documents)
        return address === undefined ? words : `<a href="${escaped(address)}">${words}</a>`
      },
      code({ lang, text }: Tokens.Code) {
        return lang === "mermaid" ? draw(text) : block(text)
      },
      // Documents contain no HTML except comments.
      html: () => ""
    }
  })
  return (marked.parse(document.text, { async: false }) as string)
    .replaceAll("<table>", '<div class="table" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>")
}

/** Address of a link; undefined when its target has no page, such as a source. */
const addressOf = (from: string, href: string, documents: ReadonlyMap<string, Document>): string | undefined => {
  const target = targetOf(from, href)
  if (target === undefined) return href
  const found = documents.get(target) ?? documents.get(`${target}/README.md`)
  const anchor = href.includes("#") ? href.slice(href.indexOf("#")) : ""
  return found === undefined ? undefined : `${guidePath}${found.page}${anchor}`
}
