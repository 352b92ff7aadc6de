/**
 * Lets tests in Node import modules of the console that have texts. These modules read `localStorage` and `document`
 * when they are imported, so a test imports this file before them.
 *
 * Test files of a worker share the modules, and so the language of the page, which is read once. A test that needs a
 * certain language therefore sets it with `pageLanguage`.
 */
import { afterAll, beforeAll } from "vitest"

const storage = new Map<string, string>()

Object.assign(globalThis, {
  document: { documentElement: {} },
  localStorage: {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key)
  }
})

/** Shows the texts of this language in the tests of the file. */
export const pageLanguage = (code: "en" | "de"): void => {
  let before: string
  const page = async () => (await import("../../../console/lib/Language.ts")).chosen
  beforeAll(async () => {
    const chosen = await page()
    before = chosen.value
    chosen.value = code
  })
  afterAll(async () => {
    ;(await page()).value = before
  })
}
