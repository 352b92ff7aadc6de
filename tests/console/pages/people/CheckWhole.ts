import type { Page } from "playwright-core"
import { expect } from "vitest"
import { checkPage, choose } from "#support/console/CheckPage.ts"

/** Width of the browser window, that of a common desktop screen. Unit: pixels. */
const wide = 1440

/** `checkPage` on a wide screen, which nothing may exceed either. Leaves the page in English. */
export const checkWhole = async (page: Page, name: string): Promise<void> => {
  await page.setViewportSize({ width: wide, height: 900 })
  await checkPage(page, name)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(wide)
  await choose(page, "language", "en")
}

/** Chooses the last entry of an open menu by keyboard, once the menu has the focus. */
export const chooseLast = async (page: Page): Promise<void> => {
  await page.locator("[role=menuitem]:focus").waitFor()
  await page.keyboard.press("End")
  await page.keyboard.press("Enter")
}
