import { describe, expect, it } from "vitest"
import { h } from "preact"
import { createHash } from "node:crypto"
import { parse } from "parse5"
import { document, documentHeaders, languageLinks } from "#core/html/Document.ts"

const style = `main > p::before { content: "a" }`

describe("a page of the server", () => {
  it("is a complete document with escaped text", () => {
    const errors: Array<string> = []
    const html = document(
      { language: "de", title: "</title><script>1</script>", style },
      h("main", null, "<b>&amp;"),
      h("a", { href: `"><i>` }, "x")
    )
    parse(html, { onParseError: ({ code }) => errors.push(code) })
    expect(errors).toEqual([])
    expect(html).toMatch(/^<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"/)
    expect(html).toContain("<title>&lt;/title>&lt;script>1&lt;/script></title>")
    expect(html).toContain("<main>&lt;b>&amp;amp;</main>")
    expect(html).toContain(`<a href="&quot;>&lt;i>">x</a>`)
    // The hash in the headers matches this text.
    expect(html).toContain(`<style>${style}</style>`)
  })

  it("is hidden from search engines unless it is public", () => {
    const options = { language: "en", title: "t", style } as const
    expect(document(options)).toContain(`<meta name="robots" content="noindex"`)
    expect(document({ ...options, listed: true })).not.toContain("robots")
  })

  it("allows only its own style and forms to its own origin", () => {
    const hash = `'sha256-${createHash("sha256").update(style).digest("base64")}'`
    expect(documentHeaders(style)).toEqual({
      "content-security-policy": `default-src 'none'; style-src ${hash}; base-uri 'none'; frame-ancestors 'none'; form-action 'self'`,
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin"
    })
    expect(
      documentHeaders(style, { formTargets: ["https://a.example"], images: "data:" })["content-security-policy"]
    ).toBe(
      `default-src 'none'; style-src ${hash}; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action 'self' https://a.example`
    )
  })

  it("links to itself in each language, and declares its own", () => {
    expect(
      document({ language: "en", title: "t", style }, ...languageLinks("en", (one) => `/x?token=a&lang=${one}`))
    ).toContain(
      `<a href="/x?token=a&amp;lang=en" lang="en" hreflang="en" aria-current="true">English</a><a href="/x?token=a&amp;lang=de" lang="de" hreflang="de">Deutsch</a>`
    )
  })
})
