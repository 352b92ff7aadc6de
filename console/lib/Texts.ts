/**
 * Loads the languages and texts of the daemon localization. Without it the page keeps what ships. The answers are
 * revalidated each time, so an override is shown at the next load, and at once in the tab that wrote it.
 */
import { effect } from "@preact/signals"
import { bundle, chosen, offer, type Offered } from "./Language.ts"

const prefix = "/api/v1/i18n"

/** Limit for an answer. Unit: milliseconds. */
const patience = 10_000

/** Undefined: no answer. */
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
