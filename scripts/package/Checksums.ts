/** The file SHA256SUMS of a folder, in the form that `sha256sum --check` reads. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const name = "SHA256SUMS"

/** Writes and returns the checksums of all files in the folder, in the order of their names. */
export const writeChecksums = (folder: string): string => {
  const text = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== name)
    .map((entry) => entry.name)
    .sort()
    .map(
      (file) =>
        `${createHash("sha256")
          .update(readFileSync(join(folder, file)))
          .digest("hex")}  ${file}\n`
    )
    .join("")
  writeFileSync(join(folder, name), text)
  return text
}
