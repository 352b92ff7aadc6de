/**
 * Checks the current state of a page: each language and each theme once, all combinations with SIGNALBOX_TEST_LONG=1.
 * The markup is the same in every combination; only words and colours differ. So axe-core runs all rules on the first,
 * and on the others those that depend on words and colours. It must find nothing serious, and the page must fit a
 * telephone's screen. At 200 % zoom it must neither scroll sideways nor cut a text. Screenshots
 * (Screenshots.ts): `<name>.<language>.<theme>.png`, and `<name>.findings.png` of a page with findings.
 */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { graveFindings, narrow } from "../Axe.ts"
import { screenshot, still, store } from "../Screenshots.ts"
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

/**
 * Opens another path below `/console` as a click on a link does, without loading the console again. Takes half of the
 * processor time of loading the page. The page at the path must have a heading of its own.
 */
export const follow = async (page: Page, path: string): Promise<void> => {
  await page.evaluate((href) => {
    const link = document.createElement("a")
    link.href = href
    Object.assign(globalThis, { formerHeading: document.querySelector("h1") })
    document.body.append(link)
    link.click()
    link.remove()
  }, `/console${path}`)
  // The former page stays until the files of the new one are loaded.
  await page.waitForFunction(
    () => !(globalThis as unknown as { readonly formerHeading: Element | null }).formerHeading?.isConnected
  )
  await settled(page)
}

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
  const found: Array<string> = []
  let again = false
  for (const [language, theme] of combinations) {
    await choose(page, "language", language)
    await choose(page, "theme", theme)
    await settled(page)
    await still(page)
    await screenshot(page, `${name}.${language}.${theme}`)
    const findings = await graveFindings(page, { without, again })
    found.push(...findings.map((finding) => `${language} ${theme}: ${finding}`))
    again = true
  }
  const size = page.viewportSize()!
  await page.setViewportSize(zoomed)
  await settled(page)
  found.push(...(await misfits(page)).map((misfit) => `at 200 % zoom: ${misfit}`))
  await page.setViewportSize({ width: narrow, height: 700 })
  await settled(page)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  await screenshot(page, `${name}.narrow`)
  await page.setViewportSize(size)
  if (width > narrow) found.push(`${width} pixels wide on a screen of ${narrow}`)
  if (found.length > 0) await store(page, `${name}.findings`)
  expect(found, name).toEqual([])
}
