/** The frame of a guide page: header with a filter, list of pages, content. Pure. */
import { guidePath } from "../../core/gateway/FrontPage.ts"
import { escaped } from "../../core/html/Escape.ts"
import { type Document, first } from "./Documents.ts"
import { render } from "./Markdown.ts"

/** Groups of the list of pages, and which documents they contain. The first that fits. */
const groups: ReadonlyArray<readonly [title: string, has: (path: string) => boolean]> = [
  ["Guide", (path) => path.startsWith("docs/")],
  ["Daemons", (path) => path.startsWith("daemons/")],
  ["Configuration", (path) => path.startsWith("config/") || path.startsWith("systemd/")],
  ["Project", () => true]
]

/** An entry of the list. The first page also finds documents by their headings. */
const entry = (document: Document, shown: Document): string => {
  const current = document === shown ? ' aria-current="page"' : ""
  const words = shown.path === first ? [document.title, ...document.headings].join(" ") : document.title
  const link = `<a href="${guidePath}${document.page}"${current}>${escaped(document.title)}</a>`
  return `<li data-words="${escaped(words.toLowerCase())}">${link}</li>`
}

const list = (documents: ReadonlyArray<Document>, shown: Document): string => {
  const members = Map.groupBy(documents, ({ path }) => groups.find(([, has]) => has(path))![0])
  return groups
    .flatMap(([title]) => {
      const found = members.get(title) ?? []
      if (found.length === 0) return []
      return `<section><h2>${title}</h2><ul>${found.map((one) => entry(one, shown)).join("\n")}</ul></section>`
    })
    .join("\n")
}

/** The page of a document as HTML. */
export const page = (shown: Document, documents: ReadonlyMap<string, Document>): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(shown.title)} · Signalbox</title>
<link rel="icon" href="/console/icon.svg">
<link rel="stylesheet" href="${guidePath}guide.css">
<script src="${guidePath}guide.js"></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<a class="home" href="${guidePath}">Signalbox guide</a>
<input type="search" aria-label="Filter the pages" placeholder="Filter the pages" hidden>
<a class="to-pages" href="#pages">All pages</a>
<a href="/console/">Console</a>
</header>
<p class="language" lang="de" hidden>Diese Anleitung gibt es nur auf Englisch.
Die Konsole selbst gibt es auch auf Deutsch.</p>
<main id="content" tabindex="-1">
${render(shown, documents)}
</main>
<nav id="pages" aria-label="Pages">
${list([...documents.values()], shown)}
<p id="none" role="status" hidden>No page has these words in its title.</p>
</nav>
</body>
</html>
`
