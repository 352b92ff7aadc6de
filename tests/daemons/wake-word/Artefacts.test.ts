import { mkdtempSync, rmSync, truncateSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  MissingResult,
  readData,
  readIndex,
  withData,
  writeResult
} from "#daemons/wake-word/training/work/Artefacts.ts"

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "artefacts-"))))
afterEach(() => rmSync(folder, { recursive: true }))

const write = (parts: ReadonlyArray<string>) =>
  writeResult<string>(folder, "augment", async ({ add }) => {
    for (const part of parts) await add(part, Buffer.from(part))
  })

describe("the result of a phase", () => {
  it("is read as it was written", async () => {
    await write(["one", "two"])
    expect(await readIndex(folder, "augment")).toEqual(["one", "two"])
    expect(Buffer.from(await readData(folder, "augment")).toString()).toBe("onetwo")
    const part = await withData(folder, "augment", (read) => read(3, 3))
    expect(Buffer.from(part).toString()).toBe("two")
    await expect(withData(folder, "augment", (read) => read(3, 4))).rejects.toBeInstanceOf(MissingResult)
  })

  it("does not count when the phase failed, was never begun, or lost data", async () => {
    await expect(readIndex(folder, "augment")).rejects.toBeInstanceOf(MissingResult)
    await write(["one"])
    const failing = writeResult<string>(folder, "augment", async ({ add }) => {
      await add("two", Buffer.from("two"))
      throw new Error("killed")
    })
    await expect(failing).rejects.toThrow("killed")
    await expect(readIndex(folder, "augment")).rejects.toBeInstanceOf(MissingResult)
    await write(["one", "two"])
    truncateSync(join(folder, "augment.bin"), 5)
    await expect(readIndex(folder, "augment")).rejects.toMatchObject({ phase: "augment" })
  })
})
