import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { feed } from "#daemons/status-checker/publication/Feed.ts"
import { anyText, incident, snapshot } from "./Pictures.ts"
import { all, only, read } from "./Xml.ts"

const base = "https://status.example.org"

const resolved = incident("b", {
  title: 'Platte <voll> & "träge"',
  status: "resolved",
  resolved_at: "2026-01-31T11:00:00.000Z",
  updates: [
    { status: "investigating", message: "1 < 2", message_en: "one", timestamp: "2026-01-31T10:00:00.000Z" },
    { status: "resolved", message: "]]> gut", message_en: "well", timestamp: "2026-01-31T10:59:00.000Z" }
  ]
})

describe("the feed", () => {
  it("has the elements that RFC 4287 requires of a feed and of each entry", () => {
    const top = read(feed(snapshot({ incidents: [incident("a"), resolved] }), "de", base))
    expect([top.name, top.uri, top.attributes["xml:lang"]]).toEqual(["feed", "http://www.w3.org/2005/Atom", "de"])
    expect([only(top, "id"), only(top, "updated"), only(top, "title")]).toEqual([
      "tag:status.example.org,2026:status-page/feed/de",
      "2026-01-31T11:00:00.000Z",
      "Status: status.example.org"
    ])
    expect(only(all(top, "author")[0]!, "name")).toBe("status.example.org")
    expect(all(top, "link").find(({ attributes }) => attributes["rel"] === "self")!.attributes["href"]).toBe(
      `${base}/feed.atom?lang=de`
    )
    const [first, second] = all(top, "entry")
    expect([only(first!, "id"), only(first!, "published"), only(first!, "updated")]).toEqual([
      "tag:status.example.org,2026:status-page/incident/a",
      "2026-01-31T10:00:00.000Z",
      "2026-01-31T10:00:00.000Z"
    ])
    expect([only(second!, "title"), only(second!, "updated")]).toEqual([
      'Platte <voll> & "träge"',
      "2026-01-31T11:00:00.000Z"
    ])
    expect(only(second!, "content")).toBe(
      "Betroffen: Dienst mail\n\n2026-01-31T10:59:00.000Z behoben: ]]> gut\n\n2026-01-31T10:00:00.000Z wird untersucht: 1 < 2"
    )
    expect(all(second!, "link")[0]!.attributes["href"]).toBe(`${base}/?lang=de#incident-b`)
  })

  it("has an English form with the same ids", () => {
    const [german, english] = (["de", "en"] as const).map(
      (language) => all(read(feed(snapshot({ incidents: [resolved] }), language, base)), "entry")[0]!
    )
    expect(only(english!, "id")).toBe(only(german!, "id"))
    expect([only(english!, "title"), only(english!, "content").includes("resolved: well")]).toEqual(["Trouble b", true])
  })

  it("stays unchanged without news, and is limited", () => {
    const empty = (at: string) => feed(snapshot({ at }), "en", base)
    expect(empty("2026-01-31T12:00:00.000Z")).toBe(empty("2026-01-31T12:01:00.000Z"))
    expect(
      all(
        read(feed(snapshot({ incidents: Array.from({ length: 60 }, (_, n) => incident(`i${n}`)) }), "en", base)),
        "entry"
      )
    ).toHaveLength(50)
  })

  it("is well-formed for any text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const one = incident("a", {
          title_en: text,
          updates: [{ status: "investigating", message: "", message_en: text, timestamp: "2026-01-31T10:00:00.000Z" }]
        })
        expect(only(all(read(feed(snapshot({ incidents: [one] }), "en", base)), "entry")[0]!, "id")).toContain(
          "incident/a"
        )
      })
    )
  })
})
