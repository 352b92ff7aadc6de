/**
 * Checks the current state of a server-rendered page in both colour schemes, on a telephone and a desktop screen.
 * axe-core must find nothing serious, and the page must fit the width, also at 200 % zoom. Screenshots:
 * `<name>.<scheme>.<width>.png` (Screenshots.ts).
 */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { graveFindings, narrow } from "../Axe.ts"
import { misfits, zoomed } from "../console/CutTexts.ts"
import { screenshot, still, store } from "../Screenshots.ts"

/** Width of a desktop screen. Unit: CSS pixels. */
const wide = 1280

const all = (["light", "dark"] as const).flatMap((scheme) => [narrow, wide].map((width) => [scheme, width] as const))

/**
 * Combinations to check: each scheme and each width once, combined differently per language. All combinations with
 * SIGNALBOX_TEST_LONG=1.
 */
const looks = (name: string): typeof all => {
  if (process.env["SIGNALBOX_TEST_LONG"] === "1") return all
  const small = name.endsWith(".de") ? "dark" : "light"
  return all.filter(([scheme, width]) => (width === narrow ? scheme === small : scheme !== small))
}

export const checkPlainPage = async (page: Page, name: string): Promise<void> => {
  const found: Array<string> = []
  for (const [colorScheme, width] of looks(name)) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    await still(page)
    await screenshot(page, `${name}.${colorScheme}.${width}`, { fullPage: true })
    const needed = await page.evaluate(() => document.documentElement.scrollWidth)
    // Elements that overflow the page, except inside scrollable containers.
    const out = await page.evaluate(() => {
      const edge = document.querySelector("main")!.getBoundingClientRect().right
      return [...document.querySelectorAll("main *")]
        .filter((one) => one.closest(".scroll") === null && one.getBoundingClientRect().right > edge)
        .map(({ outerHTML }) => outerHTML.slice(0, 120))
    })
    if (out.length > 0) found.push(`${colorScheme} ${width}: reaches out of the page: ${out.join("; ")}`)
    if (needed > width) found.push(`${needed} pixels wide on a screen of ${width}`)
    found.push(...(await graveFindings(page)).map((finding) => `${colorScheme} ${width}: ${finding}`))
  }
  await page.setViewportSize(zoomed)
  found.push(...(await misfits(page)).map((misfit) => `at 200 % zoom: ${misfit}`))
  if (found.length > 0) await store(page, `${name}.findings`, { fullPage: true })
  expect(found, name).toEqual([])
}
