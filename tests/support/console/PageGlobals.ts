/**
 * For tests in Node of modules of the console that have texts: the globals of a browser that they read when they are
 * imported, so this import comes first. Test files share a worker process, and so the language of the page: the one
 * that imports it first does not know what the next needs. A test that needs a language uses `pageLanguage`.
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
