import { describe, expect, it } from "vitest"
import { summary } from "#daemons/status-checker/publication/ResponseSummary.ts"
import { runsOf } from "#daemons/status-checker/publication/pages/ResponseChart.ts"
import { statusPage } from "#daemons/status-checker/publication/pages/StatusPage.ts"
import { attribute, read, textOf } from "./Dom.ts"
import { answers, component, picture, snapshot } from "./Shown.ts"

const now = Date.parse("2026-01-31T12:07:00.000Z")
const quarter = (at: string, mean_ms: number, checks = 1, most_ms = mean_ms) => ({ at, checks, mean_ms, most_ms })

describe("the quarters that are drawn", () => {
  it("end with the present one, and are separated by gaps", () => {
    const times = ["2026-01-30T12:15", "2026-01-31T11:15", "2026-01-31T11:30", "2026-01-31T12:00"]
    const runs = runsOf(
      times.map((at, index) => quarter(`${at}:00.000Z`, index)),
      now
    )
    expect(runs.map((run) => run.map(({ at, mean }) => [at, mean]))).toEqual([
      [[0, 0]],
      [
        [92, 1],
        [93, 2]
      ],
      [[95, 3]]
    ])
  })

  it("are within the drawing, also when a clock is ahead", () => {
    expect(runsOf([quarter("2026-01-30T12:00:00.000Z", 1), quarter("2026-01-31T12:15:00.000Z", 1)], now)).toEqual([])
  })
})

describe("the figures", () => {
  it("weigh quarters by their checks", () => {
    expect(summary([quarter("a", 10, 1, 12), quarter("b", 40, 3, 90)])).toEqual({ mean_ms: 33, most_ms: 90 })
    expect(summary([])).toEqual({ mean_ms: null, most_ms: null })
  })
})

describe("the chart on the page", () => {
  const shop = component("shop", "Laden", "Shop")

  it.each([
    ["en", "Response time 149 ms on average, at most 492 ms", "Last 24 hours"],
    ["de", "Antwortzeit im Mittel 149 ms, höchstens 492 ms", "Letzte 24 Stunden"]
  ] as const)("has its figures as text (%s)", (language, said, hours) => {
    const dom = read(statusPage(snapshot([picture(shop, "operational", [], { times: answers(120) })]), language))
    const chart = dom.all("svg", "lines")[0]!
    expect(attribute(chart, "role")).toBe("img")
    expect(attribute(chart, "aria-label")!.replaceAll("\u00a0", " ")).toBe(
      `${language === "de" ? "Laden" : "Shop"}. ${hours}: ${said}`
    )
    expect(dom.all("p", "share").map(textOf)).toContain(said)
  })

  it("is absent without an answer, and limited to a hundred components", () => {
    expect(read(statusPage(snapshot([picture(shop)]), "en")).all("svg", "lines")).toEqual([])
    const many = Array.from({ length: 120 }, (_, index) =>
      picture(component(`c${index}`, "A", "A"), "operational", [], { times: answers(9) })
    )
    expect(read(statusPage(snapshot(many), "en")).all("svg", "lines")).toHaveLength(100)
  })
})
