/**
 * Looks at a page as it stands, in both languages and themes: axe-core finds nothing serious, nothing is wider than a telephone's screen,
 * and a screenshot of each is kept as `var/screenshots/<name>.<language>.<theme>.png`.
 */
import axe from "axe-core"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { expect } from "vitest"

const screenshots = join(import.meta.dirname, "../../../var/screenshots")

/** Smallest screen. Unit: CSS pixels. Source: WCAG 2.2 §1.4.10 (reflow). */
const narrow = 320

/** What axe-core calls worse than moderate. */
const grave = new Set(["serious", "critical"])

/** Chooses as a person does, also where the choice stands in a menu that is shut. */
const choose = (page: Page, name: "language" | "theme", value: string) =>
  page.evaluate(([name, value]) => {
    const select = document.querySelector<HTMLSelectElement>(`select[name="${name}"]`)!
    select.value = value
    select.dispatchEvent(new Event("change", { bubbles: true }))
  }, [name, value] as const)

/** Until the page shows what it waited for, twice in a row. */
export const settled = (page: Page) =>
  page.waitForFunction(() =>
    new Promise<boolean>((resolve) => {
      const still = () => document.querySelector("h1, dialog[open]") !== null && document.querySelector(".waiting") === null
      if (!still()) return resolve(false)
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(still())))
    })
  )

export interface CheckOptions {
  /** Rules left out, each with a reason at the call. */
  readonly without?: ReadonlyArray<string>
}

/** What is open on the page stays open. */
export const checkPage = async (page: Page, name: string, { without = [] }: CheckOptions = {}): Promise<void> => {
  mkdirSync(screenshots, { recursive: true })
  const found: Array<string> = []
  for (const language of ["en", "de"]) {
    await choose(page, "language", language)
    for (const theme of ["light", "dark"]) {
      await choose(page, "theme", theme)
      await settled(page)
      await page.screenshot({ path: join(screenshots, `${name}.${language}.${theme}.png`), animations: "disabled" })
      // As an expression it is the browser's own doing: the page's policy admits no script tag.
      if (!await page.evaluate("'axe' in globalThis")) await page.evaluate(axe.source)
      const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]))
      const violations = await page.evaluate(
        async (rules) => (await (globalThis as unknown as { axe: typeof axe }).axe.run(document, { rules, resultTypes: ["violations"] })).violations
          .map(({ help, id, impact, nodes }) => ({ id, impact: impact ?? "", help, at: nodes.map(({ failureSummary, target }) => `${target.join(" ")}: ${failureSummary}`) })),
        rules
      )
      found.push(...violations.filter(({ impact }) => grave.has(impact)).map(({ at, help, id }) => `${language} ${theme}: ${id}, ${help}\n${at.slice(0, 3).join("\n")}`))
    }
  }
  const size = page.viewportSize()!
  await page.setViewportSize({ width: narrow, height: 700 })
  await settled(page)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  await page.screenshot({ path: join(screenshots, `${name}.narrow.png`), animations: "disabled" })
  await page.setViewportSize(size)
  if (width > narrow) found.push(`${width} pixels wide on a screen of ${narrow}`)
  expect(found, name).toEqual([])
}
