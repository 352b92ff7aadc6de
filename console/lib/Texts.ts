/**
 * Loads the languages and texts from the daemon localization. Without an answer the page keeps the texts that ship with
 * the console. The browser revalidates each answer, so a changed text is shown at the next load of a page, and at once
 * in the tab that changed it.
 */
import { effect } from "@preact/signals"
import { bundle, chosen, offer, type Offered } from "./Language.ts"

const prefix = "/api/v1/i18n"

/** Timeout of a request. Unit: milliseconds. */
const patience = 10_000

/** The parsed answer; undefined when the request failed. */
const read = async <A>(path: string): Promise<A | undefined> => {
  try {
    const response = await fetch(`${prefix}${path}`, { cache: "no-cache", signal: AbortSignal.timeout(patience) })
    return response.ok ? ((await response.json()) as A) : undefined
  } catch {
    return undefined
  }
}

/** Loads the texts of the chosen language again. */
export const reload = async (code: string = chosen.peek()): Promise<void> => {
  const texts = await read<Readonly<Record<string, string>>>(`/bundles/${encodeURIComponent(code)}`)
  if (texts !== undefined && chosen.peek() === code) bundle.value = { code, texts }
}

/** Loads the list of languages again. */
export const reloadLanguages = async (): Promise<void> => {
  const all = await read<ReadonlyArray<Offered>>("/languages")
  if (all !== undefined && all.length > 0) offer(all)
}

/** Loads both, now and after each choice of a language. */
export const begin = (): void => {
  void reloadLanguages()
  effect(() => void reload(chosen.value))
}
