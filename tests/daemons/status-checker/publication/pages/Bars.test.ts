import { describe, expect, it } from "vitest"
import type { Day } from "#daemons/status-checker/status/Model.ts"
import { barHeights, runsOf } from "#daemons/status-checker/publication/pages/Bars.ts"
import { statusPage } from "#daemons/status-checker/publication/pages/StatusPage.ts"
import { figures } from "#daemons/status-checker/publication/Uptime.ts"
import { attribute, type Element, read, textOf } from "./Dom.ts"
import { at, component, day, dayBefore, ninety, picture, snapshot, troubled } from "./Shown.ts"

const hour = 3_600_000
const page = (days: ReadonlyArray<Day>) =>
  read(statusPage(snapshot([picture(component("a", "A", "A"), "operational", days)]), "en"))
const paths = (days: ReadonlyArray<Day>) =>
  page(days)
    .all("path")
    .filter(
      (one) => one.parentNode !== null && "attrs" in one.parentNode && attribute(one.parentNode, "class") === "bars"
    )
const drawn = (path: Element) => [attribute(path, "class"), attribute(path, "d"), textOf(path)]

describe("bars", () => {
  it("draw equal days as one line, each at its position", () => {
    expect(paths(ninety()).map(drawn)).toEqual([["o", "M0 25H359", "25 Aug – 22 Nov: Operational, 100% uptime"]])
    expect(paths(ninety({ 2: day(2, { partial_outage: hour }) })).map(drawn)).toEqual([
      ["o", "M0 25H347", "25 Aug – 19 Nov: Operational, 100% uptime"],
      ["p", "M348 20H351", "20 Nov: Partial outage, 95.83% uptime"],
      ["o", "M352 25H359", "21 – 22 Nov: Operational, 100% uptime"]
    ])
  })

  it("draw a gap as a gap, and a day measured in part as narrow", () => {
    expect(paths(ninety({ 40: undefined, 41: undefined, 42: day(42, {}, 6 * hour) })).map(drawn)).toEqual([
      ["o", "M0 25H187", "25 Aug – 10 Oct: Operational, 100% uptime"],
      ["o n", "M188.9 25H190.1", "11 Oct: Operational, 100% uptime, 25% measured"],
      ["u", "M192 34.5H199", "12 – 13 Oct: Not measured"],
      ["o", "M200 25H359", "14 Oct – 22 Nov: Operational, 100% uptime"]
    ])
    expect(paths([]).map(drawn)).toEqual([["u", "M0 34.5H359", "25 Aug – 22 Nov: Not measured"]])
  })

  it("distinguish days by uptime and by measured share", () => {
    const days = ninety({
      1: day(1, { major_outage: hour }),
      2: day(2, { major_outage: 2 * hour }),
      4: day(4, {}, 6 * hour),
      5: day(5, {}, 12 * hour)
    })
    expect(
      paths(days)
        .map((path) => textOf(path))
        .slice(1, -1)
    ).toEqual([
      "17 Nov: Operational, 100% uptime, 50% measured",
      "18 Nov: Operational, 100% uptime, 25% measured",
      "19 Nov: Operational, 100% uptime",
      "20 Nov: Major outage, 91.66% uptime",
      "21 Nov: Major outage, 95.83% uptime"
    ])
  })

  it("show today as complete only if measured until now", () => {
    const now = Date.parse(at)
    expect(runsOf(figures(ninety(), 90, now).days, true)).toHaveLength(1)
    expect(
      runsOf(figures(ninety({ 0: day(0, {}, 5 * hour) }), 90, now).days, true).map(({ partial }) => partial)
    ).toEqual([false, true])
  })

  it("have a height by severity, different for each kind", () => {
    const heights = (
      ["unknown", "under_maintenance", "operational", "degraded_performance", "partial_outage", "major_outage"] as const
    ).map((state) => barHeights[state])
    expect(heights).toEqual(heights.toSorted((a, b) => a - b))
    expect(new Set(heights).size).toBe(6)
  })

  it("never show an incomplete day as complete", () => {
    const days = ninety({ 3: day(3, { major_outage: 1 }) })
    expect(page(days).text).toContain("99.99% uptime")
  })

  it("are summarised for screen readers without ninety items", () => {
    const { all } = page(
      ninety({
        1: day(1, { major_outage: hour }),
        5: day(5, { degraded_performance: hour }),
        7: day(7, { under_maintenance: hour }),
        9: undefined
      })
    )
    const [svg] = all("svg", "bars")
    expect([attribute(svg!, "role"), attribute(svg!, "aria-label")]).toEqual([
      "img",
      "A. Last 90 days: 99.95% of the measured time available. 2 days with problems, 1 day without measurement."
    ])
    expect(attribute(page([]).all("svg", "bars")[0]!, "aria-label")).toBe("A. Last 90 days: no measurements.")
  })

  it("have a table as well, newest first", () => {
    const { all } = page(
      ninety({
        0: day(0, { major_outage: hour }),
        9: undefined,
        10: day(10, {}, 12 * hour),
        20: day(20, { under_maintenance: 24 * hour })
      })
    )
    const rows = all("tr").map((row) => row.childNodes.map(textOf))
    expect(rows).toEqual([
      ["Days", "Status", "Available"],
      ["22 Nov", "Major outage", "90.97%"],
      ["14 – 21 Nov", "Operational", "100%"],
      ["13 Nov", "Not measured", "–"],
      ["12 Nov", "Operational (50% measured)", "100%"],
      ["3 – 11 Nov", "Operational", "100%"],
      ["2 Nov", "Under maintenance", "–"],
      ["25 Aug – 1 Nov", "Operational", "100%"]
    ])
    expect(textOf(all("caption")[0]!)).toBe("A: Day by day")
  })

  it("draw every day, also when the table has only the newest", () => {
    const { all, text } = read(statusPage(troubled(100), "en"))
    const [first] = all("svg", "bars")
    const lines = first!.childNodes.flatMap((one) =>
      "attrs" in one ? (attribute(one, "d") ?? "").split("M").filter((part) => part !== "") : []
    )
    // Each line covers its days; all together they cover the ninety.
    const covered = lines.flatMap((line) => {
      const [from, until] = line.split("H").map((part) => Math.floor(Number(part.split(" ")[0]) / 4)) as [
        number,
        number
      ]
      return Array.from({ length: until - from + 1 }, (_, index) => from + index)
    })
    expect(covered.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 90 }, (_, index) => index))
    expect(all("table")[0]!.childNodes.at(-1)).toMatchObject({ tagName: "tbody" })
    expect(all("tr")).toHaveLength(100 * (6 + 1))
    expect(text).toContain("Earlier days are in the API.")
    expect(dayBefore(0)).toBe("2026-11-22")
  })
})
