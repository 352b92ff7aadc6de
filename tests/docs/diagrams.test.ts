/** Diagrams of documents, drawn as SVG. */
import { describe, expect, it } from "vitest"
import { draw } from "../../scripts/guide/Mermaid.ts"

/** Texts of a picture with their places. */
const textsOf = (figure: string) =>
  new Map(
    Array.from(figure.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)<\/text>/g), ([, x, y, words]) => [
      words!,
      { x: Number(x), y: Number(y) }
    ])
  )

const count = (figure: string, part: RegExp): number => figure.match(part)?.length ?? 0

describe("a flowchart", () => {
  const source = [
    "flowchart LR",
    "  a[First & one] --> b",
    "  subgraph process",
    "    b([Second])",
    "    c[(Third)]",
    "    b --> c",
    "  end"
  ].join("\n")
  const figure = draw(source)

  it("has a box for each node, an arrow for each edge, and a frame for each group", () => {
    expect(count(figure, /<rect class="box"/g)).toBe(3)
    expect(count(figure, /<rect class="group"/g)).toBe(1)
    expect(count(figure, /<polyline /g)).toBe(2)
    expect([...textsOf(figure).keys()].toSorted()).toEqual(["First &#38; one", "Second", "Third", "process"])
  })

  it("has the members of a group within its frame", () => {
    const [, x, width] = /class="group" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/.exec(figure)!.map(Number)
    const texts = textsOf(figure)
    const isWithin = (words: string) => texts.get(words)!.x > x! && texts.get(words)!.x < x! + width!
    expect(["First &#38; one", "Second", "Third"].map(isWithin)).toEqual([false, true, true])
  })

  it("goes in its direction", () => {
    const [across, down] = [textsOf(figure), textsOf(draw(source.replace("LR", "TB")))]
    expect(across.get("First &#38; one")!.x).toBeLessThan(across.get("Third")!.x)
    expect(down.get("First &#38; one")!.y).toBeLessThan(down.get("Third")!.y)
  })

  it("also stands as text", () => {
    expect(figure).toContain("<summary>Diagram as text</summary>")
    expect(figure).toContain("a[First &#38; one] --&#62; b")
  })
})

describe("a sequence", () => {
  const figure = draw(
    [
      "sequenceDiagram",
      "participant A as Ann",
      "participant B as Ben",
      "A->>B: asks",
      "B-->>A: answers at length"
    ].join("\n")
  )

  it("has participants side by side and messages from top to bottom", () => {
    const texts = textsOf(figure)
    expect(texts.get("Ann")!.x).toBeLessThan(texts.get("Ben")!.x)
    expect(texts.get("asks")!.y).toBeLessThan(texts.get("answers at length")!.y)
    expect(count(figure, /class="arrow"/g)).toBe(1)
    expect(count(figure, /class="arrow answer"/g)).toBe(1)
  })

  it("has room for the words between two participants", () => {
    const texts = textsOf(figure)
    expect(texts.get("Ben")!.x - texts.get("Ann")!.x).toBeGreaterThan("answers at length".length * 7)
  })
})

describe("an unknown form", () => {
  it.each(["pie title X", "flowchart LR\n  a{{b}}", "sequenceDiagram\n  Note over A", "sequenceDiagram\n  A->>B: x"])(
    "ends the build: %s",
    (source) => {
      expect(() => draw(source)).toThrow(/diagram|flowchart/)
    }
  )
})
