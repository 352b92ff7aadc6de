import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { idPrefix, maxInput, maxLinks, maxNesting, maxOutput, sanitise } from "#core/html/Sanitise.ts"
import { faultsOf } from "./Allowed.ts"
import { heavy, hostile } from "./corpus.ts"

const page = (html: string) => html.replaceAll("RUN", "alert(1)").replaceAll("NET", "http://net.invalid")

describe("hostile pages", () => {
  it.each(Object.entries(hostile).map(([name, html]) => [name, page(html)]))("%s", (_, html) => {
    const cleaned = sanitise(html)
    expect(faultsOf(cleaned.html)).toEqual([])
    expect(sanitise(cleaned.html)).toEqual(cleaned)
    expect(faultsOf(sanitise(html, { remoteImages: "show" }).html, [], true)).toEqual([])
  })

  it("the fault detector finds faults in the original pages", () => {
    const clean = Object.entries(hostile)
      .filter(([, html]) => faultsOf(page(html)).length === 0)
      .map(([name]) => name)
    // The first page is parsed without `html` and `body`. The last one ends inside its first tag.
    expect(clean).toEqual(["body and html handlers", "text as markup", "unclosed"])
  })

  it.each(Object.entries(heavy).map(([name, make]) => [name, make] as const))(
    "bounded: %s",
    (_, make) => {
      const html = make()
      const before = process.threadCpuUsage()
      const cleaned = sanitise(html)
      const { system, user } = process.threadCpuUsage(before)
      // Detects quadratic time. Without limits these pages take minutes. Processor time, in microseconds: a loaded
      // machine makes the test wait.
      expect(user + system).toBeLessThan(15_000_000)
      expect(cleaned.html.length).toBeLessThanOrEqual(maxOutput)
      expect(cleaned.links.length).toBeLessThanOrEqual(maxLinks)
    },
    120_000
  )

  it("reports truncation, and limits nesting like browsers", () => {
    expect(sanitise("x".repeat(maxInput))).toMatchObject({ truncated: false })
    expect(sanitise("x".repeat(maxInput + 1))).toMatchObject({ truncated: true, html: "x".repeat(maxInput) })
    expect(sanitise("<div>".repeat(100_000)).truncated).toBe(true)
    expect(sanitise("<div>".repeat(1_500)).html).toBe("<div>".repeat(maxNesting) + "</div>".repeat(maxNesting))
  })
})

const word = fc.constantFrom(
  ...Object.values(hostile).flatMap((html) => page(html).split(/(?=[<>"'= ;&])/)),
  "<p>",
  "</p>",
  "<table>",
  "<tr>",
  "<td>",
  "</table>",
  "<a href=",
  "<img src=",
  "<b>",
  "</b>",
  "<style>",
  "</style>",
  "<svg>",
  "</svg>",
  "<math>",
  "<!--",
  "-->",
  "<pre>\n",
  "</"
)

it("for any page only allowed elements are left, and cleaning is idempotent", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 5, arbitrary: word }, fc.string({ unit: "binary", maxLength: 8 })), {
        maxLength: 40
      }),
      fc.boolean(),
      (parts, show) => {
        const options = { remoteImages: show ? "show" : "block" } as const
        const cleaned = sanitise(parts.join(""), options)
        expect(faultsOf(cleaned.html, [], show)).toEqual([])
        expect(sanitise(cleaned.html, options)).toEqual(cleaned)
      }
    ),
    { numRuns: 3_000 }
  )
}, 120_000)

describe("what a mail keeps", () => {
  it("text, tables, colours and fonts as mail programs write them", () => {
    const html =
      `<table bgcolor="#ffffff" cellpadding="0" width="600"><tr><td align="center" style="padding:10px 20px;color:#333333;font-family:Arial, 'Helvetica Neue', sans-serif;` +
      `border:1px solid rgb(1, 2, 3)"><b>Bill</b> &amp; <i>co</i></td></tr></table><blockquote>old</blockquote><ol start="3" type="a"><li>c</li></ol>`
    expect(sanitise(html)).toEqual({ html, blocked_images: 0, links: [], truncated: false })
    expect(
      sanitise(`<html><head><title>t</title><style>p{}</style></head><body style="background:#eee"><p>x</body></html>`)
        .html
    ).toBe(`<div style="background:#eee"><p>x</p></div>`)
  })

  it("links to pages, mail and phone, opened apart, and listed once", () => {
    const { html, links } = sanitise(
      `<a href=" HTTPS://Example.com/a b?x=1&amp;y=2">1</a><a href="mailto:a@b.c?subject=x">2</a><a href="tel:+4930123">3</a><a href="https://example.com/a%20b?x=1&y=2">4</a>`
    )
    expect(links).toEqual(["https://example.com/a%20b?x=1&y=2", "mailto:a@b.c?subject=x", "tel:+4930123"])
    expect(html).toContain(
      `<a href="https://example.com/a%20b?x=1&amp;y=2" rel="noopener noreferrer" target="_blank">1</a>`
    )
  })

  it("its own anchors and links to them", () => {
    expect(sanitise(`<a name="top" id="location"></a><a href="#top">up</a>`).html).toBe(
      `<a id="${idPrefix}location" name="${idPrefix}top"></a><a href="#${idPrefix}top">up</a>`
    )
  })

  it("remote images are blocked and counted, and loaded on request", () => {
    const mail = `<img src="http://net.invalid/1.png" alt="one" width="10"><img src="https://net.invalid/2.png"><b background="http://net.invalid/3"></b>`
    const blocked = sanitise(mail)
    expect(blocked).toMatchObject({
      blocked_images: 2,
      html: `<img alt="one" width="10" data-remote-src="http://net.invalid/1.png" /><img data-remote-src="https://net.invalid/2.png" /><b></b>`
    })
    const shown = {
      blocked_images: 0,
      html: `<img alt="one" width="10" src="http://net.invalid/1.png" /><img src="https://net.invalid/2.png" /><b></b>`
    }
    expect(sanitise(mail, { remoteImages: "show" })).toMatchObject(shown)
    expect(sanitise(blocked.html, { remoteImages: "show" })).toMatchObject(shown)
  })

  it("attached images are found by Content-ID, and unknown ones are removed", () => {
    const inlineImages = new Map([
      ["logo@x", "/api/v1/mail/part/2"],
      ["100%", "data:image/png;base64,AAAA"]
    ])
    const cleaned = sanitise(
      `<img src="cid:logo@x"><img src="CID:logo%40x"><img src="cid:100%"><img src="cid:none"><img src="/api/v1/users"><img src="data:image/gif;base64,R0lG">`,
      { inlineImages }
    )
    expect(cleaned.html).toBe(
      `<img src="/api/v1/mail/part/2" /><img src="/api/v1/mail/part/2" /><img src="data:image/png;base64,AAAA" /><img /><img /><img src="data:image/gif;base64,R0lG" />`
    )
    expect(cleaned.blocked_images).toBe(0)
    expect(sanitise(cleaned.html, { inlineImages })).toEqual(cleaned)
  })
})
