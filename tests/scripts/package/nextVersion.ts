/**
 * Builds the bundle of a next version into a folder: other version, and one more migration of the schema `core`. Usage:
 * `bin/pinned-node tests/scripts/package/nextVersion.ts FOLDER VERSION additive|breaking`.
 */
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { basename, join } from "node:path"
import type { Plugin } from "esbuild"
import { manifestName } from "../../../scripts/buildInputs.ts"
import { bundle } from "../../../scripts/bundle.ts"

const root = join(import.meta.dirname, "../../..")
const [folder = "", version = "", kind = ""] = process.argv.slice(2)

/** The migration. Its id is above all real ones. */
const migration = `{ id: 9000, name: "next version", statements: ["create table core.next_version (id int)"]${
  kind === "additive" ? ", additive: true" : ""
} }`

/** Replaces a text of a source, or throws. */
const changed = async (path: string, from: RegExp, to: string): Promise<string> => {
  const text = await readFile(path, "utf8")
  if (!from.test(text)) throw new Error(`${path} has no ${from}`)
  return text.replace(from, to)
}

const nextVersion: Plugin = {
  name: "next-version",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/core\/sql\/CoreSchema\.ts$/ }, async ({ path }) => ({
      loader: "ts",
      contents: await changed(path, /(\n {4}\})\n {2}\]\n\}\n$/, `$1,\n${migration}]\n}\n`)
    }))
    onLoad({ filter: /\/package\.json$/ }, async ({ path }) =>
      path === join(root, "package.json")
        ? { loader: "json", contents: await changed(path, /"version": "[^"]*"/, `"version": "${version}"`) }
        : undefined
    )
  }
}

mkdirSync(folder, { recursive: true })
await bundle(root, folder, [nextVersion])
for (const asset of ["console", "wake-word-embedding.onnx"])
  cpSync(join(root, "dist", asset), join(folder, asset), { recursive: true })
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
writeFileSync(join(folder, manifestName), JSON.stringify({ inputs: basename(folder), files }))
