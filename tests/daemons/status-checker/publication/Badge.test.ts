import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { badge } from "#daemons/status-checker/publication/Badge.ts"
import { componentStatuses } from "#daemons/status-checker/status/Vocabulary.ts"
import { anyText } from "./Pictures.ts"
import { all, only, read, type Read } from "./Xml.ts"

const luminance = (color: string): number => {
  const [r, g, b] = [1, 3, 5]
    .map((from) => Number.parseInt(color.slice(from, from + 2), 16) / 255)
    .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.212_6 * r! + 0.715_2 * g! + 0.072_2 * b!
}

const names = (of: Read): ReadonlyArray<string> => [of.name, ...of.children.flatMap(names)]

describe("a badge", () => {
  it.each(componentStatuses)("shows %s in both languages, as image and as text for screen readers", (status) => {
    const [german, english] = (["de", "en"] as const).map((language) => read(badge("Mail", status, language)))
    expect(only(german!, "title")).not.toBe(only(english!, "title"))
    for (const top of [german!, english!]) {
      expect([top.name, top.uri, top.attributes["role"], top.attributes["aria-label"]]).toEqual([
        "svg",
        "http://www.w3.org/2000/svg",
        "img",
        only(top, "title")
      ])
      const shown = all(all(top, "g")[0]!, "text").map(({ text }) => text)
      expect(shown.join(": ")).toBe(only(top, "title"))
      for (const { attributes } of all(top, "rect"))
        expect(1.05 / (luminance(attributes["fill"]!) + 0.05)).toBeGreaterThanOrEqual(4.5)
    }
  })

  it("is as wide as its text", () => {
    const [short, long] = ["Mail", "Mail und Kalender"].map((label) => read(badge(label, "operational", "en")))
    expect(Number(long!.attributes["width"])).toBeGreaterThan(Number(short!.attributes["width"]))
    const boxes = all(long!, "rect").map(
      ({ attributes }) => [Number(attributes["x"]), Number(attributes["width"])] as const
    )
    all(all(long!, "g")[0]!, "text").forEach(({ attributes }, index) => {
      const [from, width] = boxes[index]!
      expect(Number(attributes["x"])).toBeGreaterThan(from)
      expect(Number(attributes["x"]) + Number(attributes["textLength"])).toBeLessThan(from + width)
    })
    expect(Number(read(badge("x".repeat(500), "operational", "en")).attributes["width"])).toBeLessThan(600)
  })

  it("escapes any name as text", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.constant("<script>alert(1)</script>\"'&")), (name) => {
        expect(names(read(badge(name, "operational", "de")))).toEqual([
          "svg",
          "title",
          "rect",
          "rect",
          "g",
          "text",
          "text"
        ])
      })
    )
  })
})
