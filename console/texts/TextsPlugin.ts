/**
 * Plugin of the console's build. It collects the texts of all modules in `texts.json`, which the daemon localization
 * registers, and tells each call of `words` the keys of its texts.
 */
import { relative } from "node:path"
import type { Plugin } from "vite"
import { callsIn, type Node, type Texts } from "./Extract.ts"

/** Key of a module's texts: `console.pages.bank.Page`. */
export const keyOf = (path: string): string =>
  `console.${path
    .replace(/\.tsx?$/, "")
    .replaceAll(/[^\w./-]/g, "_")
    .replaceAll("/", ".")}`

export const texts = (root: string): Plugin => {
  const all = new Map<string, Texts>()
  return {
    name: "signalbox-texts",
    transform: {
      filter: { id: /\.tsx?(?:$|\?)/, code: "words(" },
      handler(code, id) {
        const path = relative(root, id.split("?", 1)[0]!)
        const calls = path.startsWith("..") ? [] : callsIn(this.parse(code) as unknown as Node)
        let result = code
        // Inserts from the last call to the first, so that the positions of the remaining calls stay valid.
        for (const [index, { end, parameters, texts }] of Array.from(calls.entries()).toReversed()) {
          const key = index === 0 ? keyOf(path) : `${keyOf(path)}-${index + 1}`
          for (const [name, text] of texts) all.set(`${key}.${name}`, text)
          result = `${result.slice(0, end)}, ${JSON.stringify({ key, parameters })}${result.slice(end)}`
        }
        return calls.length === 0 ? null : { code: result, map: null }
      }
    },
    generateBundle() {
      const sorted = Array.from(all).toSorted(([a], [b]) => (a < b ? -1 : 1))
      this.emitFile({ type: "asset", fileName: "texts.json", source: JSON.stringify(Object.fromEntries(sorted)) })
    }
  }
}
