/** The page of an API document. */
import { describe, expect, it } from "vitest"
import { OpenApi } from "effect/http-api"
import { parse } from "parse5"
import { top } from "#core/http/Api.ts"
import { render } from "#core/http/DocsPage.ts"
import { merge } from "#core/gateway/MergedApi.ts"
import { daemons } from "#daemons/Suite.ts"

const document = (summary: string) => ({
  info: { title: "T", version: "1", description: "About.\n\n## More\n\n`code`" },
  paths: {
    "/a/{id}": {
      get: {
        tags: ["things"],
        operationId: "things.show",
        summary,
        parameters: [
          { name: "id", in: "path", required: true, description: "Id.", schema: { type: "integer" }, example: 7 }
        ],
        responses: {
          200: { description: "Fine", content: { "application/json": { schema: thing, example: { self: "<a>" } } } }
        }
      }
    }
  },
  components: { schemas: { Thing: { type: "object", required: ["self"], properties: { self: thing } } } }
})
const thing = { $ref: "#/components/schemas/Thing" }

describe("the documentation page", () => {
  it("shows texts, parameters and shapes, and ends at a shape that contains itself", () => {
    const page = render(document("One thing"))
    for (const part of [
      "<h2>More</h2>",
      "<code>code</code>",
      "One thing",
      "(path) integer: Id. Such as <code>7</code>.",
      "<code>self</code>"
    ])
      expect(page).toContain(part)
    expect(page.match(/<code>self<\/code>/g)).toHaveLength(4)
    expect(page).toContain('<code>{\n  "self": "&#60;a&#62;"\n}</code>')
  })

  it("leads to the guide where one is served", () => {
    expect(render(document("One"))).not.toContain("guide")
    expect(render(document("One"), "/console/guide/")).toContain('<a href="/console/guide/">guide</a>')
  })

  it("escapes texts", () => {
    expect(render(document("</summary><script>alert(1)</script>"))).not.toContain("<script>alert")
  })

  it("of all daemons: valid HTML that loads nothing, with each operation once", () => {
    const whole = OpenApi.fromApi(top(merge(daemons.filter(({ ownPort }) => !ownPort))))
    const page = render(whole)
    const problems: Array<string> = []
    parse(page, { onParseError: ({ code }) => void problems.push(code) })
    expect(problems).toEqual([])
    expect(page).not.toMatch(/<(?:img|link|iframe|script [^>]*src)/)
    const operations = Object.values(whole.paths).flatMap((item) => Object.keys(item))
    expect(page.match(/<summary><b>/g)).toHaveLength(operations.length)
    expect(page).toMatch(/<h2>Problems<\/h2>.*<code>NotFound<\/code> The resource does not exist/s)
    expect(page.match(/<pre /g)!.length).toBeGreaterThan(operations.length * 0.8)
    expect(Buffer.byteLength(page)).toBeLessThan(3_000_000)
  })
})
