/**
 * Screenshots of pages that tests check, in `var/screenshots/`. Only with SIGNALBOX_TEST_SCREENSHOTS=1 or
 * SIGNALBOX_TEST_LONG=1: a screenshot takes more processor time than the check of a small page.
 */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"

const folder = join(import.meta.dirname, "../../var/screenshots")

const isWanted = ["SIGNALBOX_TEST_SCREENSHOTS", "SIGNALBOX_TEST_LONG"].some((name) => process.env[name] === "1")

export interface ScreenshotOptions {
  /** The whole page, and not only the part on the screen. */
  readonly fullPage?: boolean
}

/** Waits for the fonts and ends transitions, so that the page looks as it stays. */
export const still = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await document.fonts.ready
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
  })

/** Stores `<name>.png` where screenshots are wanted. */
export const screenshot = async (page: Page, name: string, options: ScreenshotOptions = {}): Promise<void> => {
  if (isWanted) await store(page, name, options)
}

/** Stores `<name>.png` in any case, for a page with findings. */
export const store = async (page: Page, name: string, options: ScreenshotOptions = {}): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled", ...options })
}
