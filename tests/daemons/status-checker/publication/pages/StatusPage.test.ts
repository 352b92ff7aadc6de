import { describe, expect, it } from "vitest"
import { createHash } from "node:crypto"
import { brotliCompressSync, constants } from "node:zlib"
import type { Snapshot } from "#daemons/status-checker/status/Model.ts"
import { type Language } from "#core/words/Language.ts"
import { statusPage, statusPageHeaders } from "#daemons/status-checker/publication/pages/StatusPage.ts"
import { words } from "#daemons/status-checker/publication/pages/Words.ts"
import { componentStatuses, incidentStatuses, severities } from "#daemons/status-checker/status/Vocabulary.ts"
import { attribute, type Element, flaws, read, textOf } from "./Dom.ts"
import { component, everything, incident, ninety, picture, snapshot, troubled, usual } from "./Shown.ts"

const both: ReadonlyArray<Language> = ["en", "de"]
const dom = (shown: Snapshot, language: Language = "en") => read(statusPage(shown, language))
const headline = (shown: Snapshot, language: Language = "en") => textOf(dom(shown, language).all("h1")[0]!)
const stale = { checked_at: "2026-11-22T08:00:00.000Z" }

describe("the document", () => {
  it.each(both)("is complete and valid for any content (%s)", (language) => {
    for (const shown of [everything(), snapshot([]), usual(3), usual(100), troubled(5)])
      expect(flaws(dom(shown, language))).toEqual([])
  })

  it("declares its language, and links to the page in the other language", () => {
    const { all } = dom(everything(), "de")
    expect(attribute(all("html")[0]!, "lang")).toBe("de")
    const links = all("nav")[0]!.childNodes.filter((one) => "tagName" in one)
    expect(
      links.map((one) => [attribute(one, "href"), attribute(one, "lang"), attribute(one, "aria-current")])
    ).toEqual([
      ["?lang=en", "en", undefined],
      ["?lang=de", "de", "true"]
    ])
  })

  it("allows its one style and its one script by hash", () => {
    const html = statusPage(everything(), "en")
    const style = /<style>([^]*?)<\/style>/.exec(html)![1]!
    const script = /<script>([^]*?)<\/script>/.exec(html)![1]!
    const policy = statusPageHeaders["content-security-policy"]!
    expect(policy).toContain(`style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain(`script-src 'sha256-${createHash("sha256").update(script).digest("base64")}';`)
    expect(policy).not.toContain("unsafe")
  })

  it("shows hostile names and messages as text", () => {
    const hostile = `</title></style><script>alert(1)</script><img src=x onerror=alert(2)>"'&amp;`
    const shown = snapshot([picture(component(`"><script>`, hostile, hostile, hostile))], {
      incidents: [
        incident(`"><b>/../?#`, hostile, hostile, {
          status: "identified",
          resolved_at: null,
          components: [`"><script>`],
          updates: [{ status: "identified", message: hostile, message_en: hostile, timestamp: "2026-11-22T10:00:00Z" }]
        })
      ],
      maintenance: [
        {
          id: "m",
          title: hostile,
          title_en: hostile,
          message: hostile,
          message_en: hostile,
          components: [],
          starts_at: "2026-11-22T10:00:00Z",
          ends_at: "2026-11-22T12:00:00Z"
        }
      ]
    })
    for (const language of both) {
      const page = dom(shown, language)
      expect(flaws(page)).toEqual([])
      expect(page.all("img")).toEqual([])
      expect(page.text.split(hostile).length - 1).toBeGreaterThanOrEqual(7)
      expect(attribute(page.all("article")[0]!, "id")).toBe("incident-%22%3E%3Cb%3E%2F..%2F%3F%23")
      expect(page.all("a").map((one) => attribute(one, "href"))).toContain(
        `/incidents/%22%3E%3Cb%3E%2F..%2F%3F%23?lang=${language}`
      )
    }
  })
})

describe("the groups", () => {
  it("have names in both languages", () => {
    const shown = snapshot([
      picture({ ...component("a", "A", "A"), group: "Büro" }),
      picture({ ...component("b", "B", "B"), group: "Büro", group_en: "Office" })
    ])
    expect(dom(shown, "de").all("h3").map(textOf)).toContain("Büro")
    expect(dom(shown, "en").all("h3").map(textOf)).toContain("Office")
    expect(dom(shown, "en").all("h3").map(textOf)).not.toContain("Büro")
  })
})

describe("the state", () => {
  it.each(both)("has a text and its own shape (%s)", (language) => {
    const shapes = componentStatuses.map((status) => {
      const { all } = dom(snapshot([picture(component("a", "A", "A"), status)]), language)
      expect(textOf(all("h1")[0]!)).toBe(words(language).banner[status])
      const banner = all("div", "banner")[0]!
      const sheet = all("symbol").map((one) => attribute(one, "id"))
      const used = all("use").map((one) => attribute(one, "href"))
      expect(textOf(all("p", "state")[0]!)).toBe(words(language).status[status])
      // The banner's shape, and the component's.
      expect(used[0]).toBe(used[1])
      expect(sheet).toContain(used[0]!.slice(1))
      return [
        attribute(banner, "class"),
        used[0],
        attribute(all("symbol").find((one) => `#${attribute(one, "id")}` === used[0])!.childNodes[0] as Element, "d")
      ]
    })
    // Colour, name of the shape, and the shape itself.
    for (const kind of [0, 1, 2]) expect(new Set(shapes.map((one) => one[kind])).size).toBe(componentStatuses.length)
    expect(new Set(componentStatuses.map((status) => words(language).banner[status])).size).toBe(
      componentStatuses.length
    )
  })

  it.each(both)("names every state and severity of an incident (%s)", (language) => {
    for (const status of incidentStatuses) {
      for (const severity of severities) {
        const { text } = dom(
          snapshot([picture(component("a", "A", "A"))], {
            incidents: [
              incident("i", "T", "T", {
                status,
                severity,
                resolved_at: status === "resolved" ? "2026-11-22T09:00:00Z" : null,
                created_at: "2026-11-22T08:00:00Z"
              })
            ]
          }),
          language
        )
        expect(text).toContain(words(language).incident[status])
        expect(text).toContain(words(language).severity[severity])
      }
    }
  })

  it("is not operational when nothing is known", () => {
    expect(headline(snapshot([]))).toBe(words("en").nothingWatched)
    const waiting = picture(component("a", "A", "A"), "unknown", [], { checked_at: null })
    expect(headline(snapshot([waiting]))).toBe(words("en").checkingAll)
    expect(
      dom(snapshot([waiting]))
        .all("p", "state")
        .map(textOf)
    ).toEqual([words("en").checking])
    // Components that are not measured are no outage of the others.
    const measured = picture(component("b", "B", "B"), "operational")
    const unmeasured = picture(component("c", "C", "C"), "unknown", ninety(), stale)
    expect(headline(snapshot([measured, unmeasured]))).toBe(words("en").measuredWell)
    expect(headline(snapshot([picture(component("a", "A", "A"), "unknown", ninety(), stale)]))).toBe(
      words("en").banner.unknown
    )
    // An incident is known without a look.
    expect(headline(snapshot([picture(component("a", "A", "A"), "major_outage", ninety(), stale)]))).toBe(
      words("en").banner.major_outage
    )
    // What nobody asks cannot be out of date.
    expect(
      headline(
        snapshot([
          picture(component("a", "A", "A", null, { container: null }), "operational", [], { checked_at: null })
        ])
      )
    ).toBe(words("en").banner.operational)
  })

  it("marks stale checks with their time", () => {
    const shown = snapshot([
      picture(component("a", "A", "A")),
      picture(component("b", "B", "B"), "unknown", ninety(), stale),
      picture(component("c", "C", "C"), "unknown", [], { checked_at: null })
    ])
    const { all, text } = dom(shown)
    expect(text).toContain(words("en").someStale({ count: 2 }))
    expect(all("p", "note").map(textOf)).toEqual(["Not checked since 22 Nov 2026, 08:00 UTC."])
    expect(all("p", "state").map(textOf)).toEqual(["Operational", "Not measured", "Checking"])
    expect(textOf(all("div", "banner")[0]!)).toContain("Last checked: 22 Nov 2026, 11:03 UTC")
    // Just within the time in which it counts.
    expect(
      dom(
        snapshot([
          picture(component("a", "A", "A"), "operational", ninety(), { checked_at: "2026-11-22T10:50:00.000Z" })
        ])
      ).all("p", "note")
    ).toEqual([])
  })

  it("of a group is the state of its worst component", () => {
    const { all } = dom(
      snapshot([
        picture(component("a", "A", "A", "G")),
        picture(component("b", "B", "B", "G"), "partial_outage"),
        picture(component("c", "C", "C"))
      ])
    )
    expect(all("div", "group").map(textOf)).toEqual(["GPartial outage", "Other systemsOperational"])
  })

  it("shows times in UTC, readable for people and programs", () => {
    const { all } = dom(everything(), "de")
    const times = all("time").map((one) => [attribute(one, "datetime"), textOf(one)])
    expect(times).toContainEqual(["2026-11-22T11:03:00.000Z", "22. Nov. 2026, 11:03 UTC"])
    expect(times).toContainEqual(["2026-11-20", "20. November 2026"])
  })
})

describe("the form", () => {
  it("lists every component, and is absent when no mail is sent", () => {
    const { all } = dom(everything(), "de")
    expect(attribute(all("form")[0]!, "action")).toBe("/subscribe?lang=de")
    expect(
      all("input")
        .filter((one) => attribute(one, "name") === "components")
        .map((one) => attribute(one, "value"))
    ).toEqual(everything().components.map(({ component: { id } }) => id))
    const without = read(statusPage(everything(), "de", { subscribable: false }))
    expect(without.all("form")).toEqual([])
    expect(flaws(without)).toEqual([])
  })
})

describe("its size", () => {
  it("is small with twenty components, and limited with a hundred components and ever-changing days", () => {
    // The default quality of core/lane/Compressed.ts.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    const sizes = (shown: Snapshot) =>
      both.map(
        (language) =>
          [
            Buffer.byteLength(statusPage(shown, language)),
            brotliCompressSync(statusPage(shown, language), { params }).length
          ] as const
      )
    for (const [raw, compressed] of sizes(usual(20))) {
      expect(raw).toBeLessThan(80_000)
      expect(compressed).toBeLessThan(8_000)
    }
    for (const [raw, compressed] of sizes(troubled(100))) {
      expect(raw).toBeLessThan(400_000)
      expect(compressed).toBeLessThan(40_000)
    }
  })
})
