/** Keeps rendered answers in memory. Renders an answer at the first request after a change of its texts. */
import type { Rendered } from "./Rendered.ts"
import { render } from "./Rendered.ts"
import type { TextBook } from "../text-memory/TextBook.ts"

interface Slot {
  version: number
  rendered: Rendered
}

export interface Shelf {
  /** The rendered bundle; undefined when it is missing or older than the texts. */
  readonly ready: (locale: string) => Rendered | undefined
  /** The bundle, rendered anew when it has to be; undefined: no such language. */
  readonly bundle: (locale: string) => Promise<Rendered | undefined>
  /** The list of languages. */
  readonly languages: () => Promise<Rendered>
}

/** Key of the list of languages among the slots. No language has this code. */
const listSlot = ""

export const make = (book: TextBook): Shelf => {
  const slots = new Map<string, Slot>()
  const underWay = new Map<string, Promise<Rendered>>()

  const current = (name: string, version: number): Rendered | undefined => {
    const slot = slots.get(name)
    return slot?.version === version ? slot.rendered : undefined
  }

  /** Renders an answer once for all requests that wait for it. Renders again when the texts changed meanwhile. */
  const fill = async (name: string, version: () => number, json: () => string): Promise<Rendered> => {
    for (;;) {
      const held = current(name, version())
      if (held !== undefined) return held
      let running = underWay.get(name)
      if (running === undefined) {
        const at = version()
        running = render(json())
          .then((rendered) => {
            slots.set(name, { version: at, rendered })
            return rendered
          })
          .finally(() => underWay.delete(name))
        underWay.set(name, running)
        // The rendering began after this request, so its texts are new enough, even when they have changed again.
        return running
      }
      await running
    }
  }

  return {
    ready: (locale) => (book.has(locale) ? current(locale, book.version(locale)) : undefined),
    bundle: async (locale) => {
      if (book.has(locale))
        return fill(
          locale,
          () => book.version(locale),
          () => book.bundle(locale)
        )
      slots.delete(locale)
      return undefined
    },
    languages: () => fill(listSlot, book.languageVersion, () => JSON.stringify(book.languages()))
  }
}
