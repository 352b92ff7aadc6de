/**
 * Writes the pages of the guide into a folder: `bin/pinned-node scripts/buildGuide.ts FOLDER`. buildConsole.ts calls
 * it.
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { collect } from "./guide/Documents.ts"
import { page } from "./guide/Page.ts"

const root = join(import.meta.dirname, "..")

/** Files that all pages load. */
const assets = ["guide.css", "guide.js"]

export const buildGuide = (target: string): void => {
  const documents = collect(root)
  for (const document of documents.values()) {
    const path = join(target, document.page)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, page(document, documents))
  }
  for (const name of assets) copyFileSync(join(root, "scripts/guide", name), join(target, name))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) buildGuide(resolve(process.argv[2] ?? "var/guide"))
