/** Keeps rendered answers in memory. Renders an answer at the first request after a change of its texts. */
import type { RenderedAnswer } from "#core/lane/RenderedAnswer.ts"
import { render } from "./Rendered.ts"
import type { TextBook } from "../text-memory/TextBook.ts"

interface Slot {
  version: number
  rendered: RenderedAnswer
}

export interface Shelf {
  /** The rendered bundle; undefined when it is missing or older than the texts. */
  readonly ready: (locale: string) => RenderedAnswer | undefined
  /** The bundle, rendered anew when it has to be; undefined: no such language. */
  readonly bundle: (locale: string) => Promise<RenderedAnswer | undefined>
  /** The list of languages. */
  readonly languages: () => Promise<RenderedAnswer>
}

/** Key of the list of languages among the slots. No language has this code. */
const listSlot = ""

export const make = (book: TextBook): Shelf => {
  const slots = new Map<string, Slot>()
  const underWay = new Map<string, Promise<RenderedAnswer>>()

  const current = (name: string, version: number): RenderedAnswer | undefined => {
    const slot = slots.get(name)
    return slot?.version === version ? slot.rendered : undefined
  }

  /** Renders an answer once for all requests that wait for it. Renders again when the texts changed meanwhile. */
  const fill = async (name: string, version: () => number, json: () => string): Promise<RenderedAnswer> => {
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
