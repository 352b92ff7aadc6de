// Builds the console and the guide into the given folder: `bin/pinned-node scripts/buildConsole.ts dist/console`. It
// also stores compressed copies of text files, so that the server need not compress them.

import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { extname, join, resolve } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { build } from "vite"
import { buildGuide } from "./buildGuide.ts"

/** File types worth compressing. */
const compressible = new Set([".html", ".js", ".css", ".svg", ".json", ".webmanifest"])

const target = resolve(process.argv[2] ?? "dist/console")

await build({ configFile: join(import.meta.dirname, "../console/vite.config.ts"), build: { outDir: target } })
buildGuide(join(target, "guide"))

/** Compressed by gzip only, because brotli takes 40 s for the 14 MB of the ONNX runtime. */
const large = new Set([".wasm"])

for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
  const isLarge = large.has(extname(entry.name))
  if (!entry.isFile() || !(isLarge || compressible.has(extname(entry.name)))) continue
  const path = join(entry.parentPath, entry.name)
  const bytes = readFileSync(path)
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: isLarge ? 6 : 9 }))
  if (isLarge) continue
  writeFileSync(
    `${path}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
  )
}
