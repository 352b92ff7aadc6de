/** A page that counts what a person does: each click, each filled field, each pressed key, and each opened address. */
import type { Locator, Page } from "playwright-core"

export interface Steps {
  readonly page: Page
  readonly click: (control: Locator) => Promise<void>
  readonly fill: (field: Locator, text: string) => Promise<void>
  readonly press: (key: string) => Promise<void>
  /** Clicks, filled fields and keys so far, in words. */
  readonly inputs: () => ReadonlyArray<string>
  /** Paths of the pages on which the person acted or that were opened, each once, in the order of the first visit. */
  readonly pages: () => ReadonlyArray<string>
}

/** Counts from now on. The tests of a story use nothing else to act. */
export const countSteps = (page: Page): Steps => {
  const inputs: Array<string> = []
  const paths: Array<string> = []
  // The console changes addresses without a navigation, so each step records the path too.
  const visit = () => {
    const { pathname } = new URL(page.url())
    if (!paths.includes(pathname)) paths.push(pathname)
  }
  page.on("framenavigated", (frame) => frame === page.mainFrame() && visit())
  visit()
  const step = async (words: string, act: () => Promise<void>) => {
    visit()
    inputs.push(words)
    await act()
  }
  return {
    page,
    click: (control) => step(`click ${control}`, () => control.click()),
    fill: (field, text) => step(`fill ${field}`, () => field.fill(text)),
    press: (key) => step(`press ${key}`, () => page.keyboard.press(key)),
    inputs: () => [...inputs],
    pages: () => {
      visit()
      return [...paths]
    }
  }
}
