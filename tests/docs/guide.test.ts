/** The guide: the documents as pages, as the build writes them. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parse } from "parse5"
import { afterAll, describe, expect, it } from "vitest"
import { guidePath } from "#core/gateway/FrontPage.ts"
import { sources } from "../../scripts/buildInputs.ts"
import { buildGuide } from "../../scripts/buildGuide.ts"
import { anchorOf, collect, pageOf, targetOf } from "../../scripts/guide/Documents.ts"
import { blocksOf, documents, root } from "./Documents.ts"

const target = mkdtempSync(join(tmpdir(), "signalbox-guide-"))
afterAll(() => rmSync(target, { recursive: true }))
buildGuide(target)
const collected = collect(root)
const pages = new Map(Array.from(collected.values(), (one) => [one.page, readFileSync(join(target, one.page), "utf8")]))

it("names pages and anchors as links in the documents expect", () => {
  expect(["docs/README.md", "docs/backup.md", "daemons/identity/README.md", "GLOSSARY.md"].map(pageOf)).toEqual([
    "index.html",
    "backup.html",
    "daemons/identity.html",
    "project/glossary.html"
  ])
  expect(anchorOf('At 3 a.m.: "what now?"')).toBe("at-3-am-what-now")
  expect(targetOf("docs/a.md", "../core/README.md#x")).toBe("core/README.md")
  expect([targetOf("docs/a.md", "#x"), targetOf("docs/a.md", "https://example.org")]).toEqual([undefined, undefined])
})

describe("the pages", () => {
  it("are all documents of docs/, the daemons, the units and the glossary, with names of their own", () => {
    expect(pages.size).toBe(collected.size)
    const missing = documents
      .map(({ path }) => path)
      .filter((path) => /^(docs\/|daemons\/|systemd\/|config\/|README|GLOSSARY|SECURITY|CHANGELOG)/.test(path))
      .filter((path) => !collected.has(path))
    expect(missing).toEqual([])
  })

  it("of docs/ begin with their title", () => {
    const wrong = documents.filter(({ path, text }) => path.startsWith("docs/") && !/^# \S/.test(text))
    expect(wrong.map(({ path }) => path)).toEqual([])
    expect(collected.get("docs/quick-start.md")!.title).toBe("Quick start")
  })

  it("are valid HTML that loads and runs only files of the guide", () => {
    const problems: Array<string> = []
    for (const [name, page] of pages) {
      parse(page, { onParseError: ({ code, startLine }) => void problems.push(`${name}:${startLine} ${code}`) })
      const tags = page.replace(/<code>.*?<\/code>/gs, "").match(/<[a-z][^>]*>/g) ?? []
      for (const tag of tags) {
        if (/ (style|on[a-z]+)=/.test(tag)) problems.push(`${name}: ${tag}`)
        if (/^<(img|iframe|script|link|object|source)\b/.test(tag) && !/(src|href)="\/console\//.test(tag))
          problems.push(`${name}: ${tag}`)
      }
    }
    expect(problems).toEqual([])
  })

  it("have links that lead to pages and headings of the guide", () => {
    const links = [...pages].flatMap(([from, page]) =>
      Array.from(page.matchAll(/<a [^>]*href="([^"]+)"/g), ([, href]) => ({ from, href: href! }))
    )
    const broken = links.filter(({ from, href }) => {
      if (/^(https?|mailto):/.test(href) || href === "/console/") return false
      const [path = "", anchor] = href.split("#")
      if (path !== "" && !path.startsWith(guidePath)) return true
      const name = path === "" ? from : path.slice(guidePath.length) || "index.html"
      const page = pages.get(name)
      return page === undefined || (anchor !== undefined && !page.includes(` id="${anchor}"`))
    })
    expect(links.length).toBeGreaterThan(1_000)
    expect(broken.map(({ from, href }) => `${from}: ${href}`)).toEqual([])
  })

  it("contain no HTML of the documents, and draw every diagram", () => {
    expect([...pages.values()].join("")).not.toContain("<!-- drawn")
    const diagrams = documents
      .filter(({ path }) => collected.has(path))
      .flatMap((document) => blocksOf(document).filter(({ language }) => language === "mermaid"))
    const drawn = [...pages.values()].flatMap((page) => page.match(/<svg /g) ?? [])
    expect(diagrams.length).toBeGreaterThan(2)
    expect(drawn).toHaveLength(diagrams.length)
    expect(pages.get("architecture.html")).toMatch(/<text [^>]*>comm-dispatcher<\/text>/)
  })

  it("are made anew by the build when a document changes", () => {
    const inputs = (path: string) => sources.some((source) => path === source || path.startsWith(`${source}/`))
    expect([...collected.keys()].filter((path) => !inputs(path))).toEqual([])
    expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([])
  })
})
