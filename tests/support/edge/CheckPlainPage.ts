/**
 * Looks at a page that the server renders, as it stands: axe-core finds nothing serious and nothing is wider than the screen, in both schemes, on a
 * telephone and a desk. Pictures are kept as `var/screenshots/<name>.<scheme>.<width>.png`.
 */
import axe from "axe-core"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { expect } from "vitest"

const screenshots = join(import.meta.dirname, "../../../var/screenshots")

/** Unit: CSS pixels. Source of the smaller: WCAG 2.2 §1.4.10 (reflow). */
const widths = [320, 1280] as const

const grave = new Set(["serious", "critical"])

export const checkPlainPage = async (page: Page, name: string): Promise<void> => {
  mkdirSync(screenshots, { recursive: true })
  const found: Array<string> = []
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      await page.screenshot({ path: join(screenshots, `${name}.${colorScheme}.${width}.png`), fullPage: true, animations: "disabled" })
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      // What is wider than what it stands in, but for what scrolls by itself.
      const out = await page.evaluate(() => {
        const edge = document.querySelector("main")!.getBoundingClientRect().right
        return [...document.querySelectorAll("main *")].filter((one) => one.closest(".scroll") === null && one.getBoundingClientRect().right > edge).map(({ outerHTML }) => outerHTML.slice(0, 120))
      })
      if (out.length > 0) found.push(`${colorScheme} ${width}: reaches out of the page: ${out.join("; ")}`)
      if (wide > width) found.push(`${wide} pixels wide on a screen of ${width}`)
      // As an expression it is the browser's own doing: the page's policy admits no script.
      if (!await page.evaluate("'axe' in globalThis")) await page.evaluate(axe.source)
      const violations = await page.evaluate(async () =>
        (await (globalThis as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ["violations"] })).violations
          .map(({ help, id, impact, nodes }) => ({ id, impact: impact ?? "", help, at: nodes.map(({ failureSummary, target }) => `${target.join(" ")}: ${failureSummary}`) })))
      found.push(...violations.filter(({ impact }) => grave.has(impact)).map(({ at, help, id }) => `${colorScheme} ${width}: ${id}, ${help}\n${at.slice(0, 3).join("\n")}`))
    }
  }
  expect(found, name).toEqual([])
}
