import { keyFileFinding } from "#core/cli/KeyFileCheck.ts"
import { newKeyLine } from "#core/config/Secrets.ts"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "signalbox-keys-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, text: string, mode: number) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

it("accepts a complete private file, and a missing one", () => {
  expect(keyFileFinding(file("good", `${newKeyLine()}\n${newKeyLine()}\n`, 0o600))).toMatchObject({
    status: "ok",
    detail: expect.stringContaining("2 keys")
  })
  expect(keyFileFinding(join(folder, "none")).status).toBe("ok")
})

it.each([0o640, 0o604, 0o620])("refuses mode %o", (mode) => {
  expect(keyFileFinding(file(`mode${mode}`, newKeyLine(), mode))).toMatchObject({
    status: "bad",
    detail: expect.stringContaining("chmod 600")
  })
})

it("refuses a damaged file without showing its content", () => {
  const finding = keyFileFinding(file("bad", "c2VjcmV0\n", 0o600))
  expect(finding.status).toBe("bad")
  expect(finding.detail).not.toContain("c2VjcmV0")
})
