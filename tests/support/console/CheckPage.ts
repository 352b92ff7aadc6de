/**
 * Checks the current state of a page: each language and each theme once, all combinations with SIGNALBOX_TEST_LONG=1.
 * The markup is the same in every combination; only words and colours differ. axe-core must find nothing serious, and
 * the page must fit a telephone's screen. At 200 % zoom it must neither scroll sideways nor cut a text. Screenshots:
 * `var/screenshots/<name>.<language>.<theme>.png`.
 */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { graveFindings, narrow, screenshots } from "../Axe.ts"
import { misfits, zoomed } from "./CutTexts.ts"

/** Selects a language or theme, even when the select element is inside a closed menu. */
export const choose = (page: Page, name: "language" | "theme", value: string) =>
  page.evaluate(
    ([name, value]) => {
      const select = document.querySelector<HTMLSelectElement>(`select[name="${name}"]`)!
      select.value = value
      select.dispatchEvent(new Event("change", { bubbles: true }))
    },
    [name, value] as const
  )

/** Waits until the page has loaded its content, checked in two consecutive frames. */
export const settled = (page: Page) =>
  page.waitForFunction(
    () =>
      new Promise<boolean>((resolve) => {
        const still = () =>
          document.querySelector("h1, dialog[open]") !== null && document.querySelector(".waiting") === null
        if (!still()) return resolve(false)
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(still())))
      })
  )

const combinations =
  process.env["SIGNALBOX_TEST_LONG"] === "1"
    ? (["en", "de"] as const).flatMap((language) =>
        (["light", "dark"] as const).map((theme) => [language, theme] as const)
      )
    : ([
        ["en", "light"],
        ["de", "dark"]
      ] as const)

export interface CheckOptions {
  /** Disabled axe-core rules; each caller states the reason. */
  readonly without?: ReadonlyArray<string>
}

/** Checks the page without closing its open menus and dialogs. */
export const checkPage = async (page: Page, name: string, { without = [] }: CheckOptions = {}): Promise<void> => {
  mkdirSync(screenshots, { recursive: true })
  const found: Array<string> = []
  for (const [language, theme] of combinations) {
    await choose(page, "language", language)
    await choose(page, "theme", theme)
    await settled(page)
    await page.screenshot({ path: join(screenshots, `${name}.${language}.${theme}.png`), animations: "disabled" })
    found.push(...(await graveFindings(page, without)).map((finding) => `${language} ${theme}: ${finding}`))
  }
  const size = page.viewportSize()!
  await page.setViewportSize(zoomed)
  await settled(page)
  found.push(...(await misfits(page)).map((misfit) => `at 200 % zoom: ${misfit}`))
  await page.setViewportSize({ width: narrow, height: 700 })
  await settled(page)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  await page.screenshot({ path: join(screenshots, `${name}.narrow.png`), animations: "disabled" })
  await page.setViewportSize(size)
  if (width > narrow) found.push(`${width} pixels wide on a screen of ${narrow}`)
  expect(found, name).toEqual([])
}
