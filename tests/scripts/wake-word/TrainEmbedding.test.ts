/** The script that trains the embedding, with few words and steps: the same seed gives the same file. */
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { describePeers } from "#support/peers/DescribePeers.ts"

const root = new URL("../../..", import.meta.url)

/** The file of a run. */
const trained = async (folder: string, name: string): Promise<Buffer> => {
  const out = join(folder, name)
  const options = { seed: 1, invented: 2, times: 1, steps: 3, out }
  await promisify(execFile)(
    "bin/pinned-node",
    ["scripts/trainEmbedding.ts", ...Object.entries(options).flatMap(([key, value]) => [`--${key}`, String(value)])],
    { cwd: root }
  )
  return readFile(out)
}

describePeers(["espeak-ng"], "the training of the embedding", () => {
  it("gives the same file for the same seed", { timeout: 180_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "embedding-"))
    try {
      const [first, second] = [await trained(folder, "first"), await trained(folder, "second")]
      expect(first.equals(second)).toBe(true)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
