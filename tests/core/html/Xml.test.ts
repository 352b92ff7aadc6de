import { assert, it } from "@effect/vitest"
import fc from "fast-check"
import { describe } from "vitest"
import { SaxesParser } from "saxes"
import { type Element, element, serialize, write } from "#core/html/Xml.ts"

/** Reads a document back with an independent parser. Joins neighbouring texts. */
const parse = (xml: string): Element => {
  type Open = { name: string; attributes: Record<string, string>; children: Array<Element | string> }
  const top: Open = { name: "", attributes: {}, children: [] }
  const path = [top]
  const parser = new SaxesParser()
  parser.on("opentag", ({ attributes, name }) => {
    const opened: Open = { name, attributes: { ...(attributes as Record<string, string>) }, children: [] }
    path.at(-1)!.children.push(opened)
    path.push(opened)
  })
  parser.on("text", (text) => {
    if (path.length > 1) path.at(-1)!.children.push(text)
  })
  parser.on("closetag", () => void path.pop())
  parser.on("error", (error) => {
    throw error
  })
  parser.write(xml).close()
  return top.children[0] as Element
}

/** The value that a reader gets: characters that XML cannot hold are replaced. */
const readable = (text: string): string =>
  text.toWellFormed().replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "\uFFFD")

const value = fc.string({
  unit: fc.oneof(fc.string({ unit: "binary", maxLength: 1 }), fc.constantFrom(..."&<>\"'\t\n\r]]>\0\uD800"))
})
const name = fc.constantFrom("a", "user", "param", "xml:lang")
const leaf = fc.tuple(name, fc.dictionary(name, value, { maxKeys: 3 }))

describe("Xml", () => {
  it("an independent parser reads every value as it was given", () => {
    fc.assert(
      fc.property(leaf, leaf, value, ([first, outer], [second, inner], text) => {
        const document = element(first, outer, element(second, inner), text)
        const values = (attributes: Readonly<Record<string, string>>) =>
          Object.fromEntries(Object.entries(attributes).map(([key, one]) => [key, readable(one)]))
        const expected = element(
          first,
          values(outer),
          element(second, values(inner)),
          ...(text === "" ? [] : [readable(text)])
        )
        assert.deepEqual(parse(serialize(document)), expected)
      })
    )
  })

  it("declares the namespace at the root, and the encoding", () => {
    assert.strictEqual(
      write(element("feed", { id: "1" }, element("title", {}, "a < b")), "http://www.w3.org/2005/Atom"),
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<feed xmlns="http://www.w3.org/2005/Atom" id="1"><title>a &lt; b</title></feed>\n'
    )
  })
})
