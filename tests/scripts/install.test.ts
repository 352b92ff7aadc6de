/** What `npm ci` runs and says. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { lockedPackages, oldNodeLine } from "../../scripts/devTools.ts"

const root = join(import.meta.dirname, "../..")

/**
 * The install script of onnxruntime-node downloads files for graphics cards from another server. npm 11 does not run
 * it (`allowScripts` in package.json). Older versions do not run it either, because its entry in the lock file does not
 * say that it has one: `npm ci` looks for scripts only where the lock file has `hasInstallScript`. After an update of
 * the package, delete that line of its entry again.
 */
it("the lock file does not announce the install script of onnxruntime-node", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>
  }
  const entry = packages["node_modules/onnxruntime-node"]
  expect(entry).toBeDefined()
  expect(entry).not.toHaveProperty("hasInstallScript")
})

it("the settings of npm in .npmrc are known to npm 11, which warns of others at every call", () => {
  const keys = readFileSync(join(root, ".npmrc"), "utf8").match(/^[^=\s]+(?=\s*=)/gm)
  expect(keys).toEqual(["omit-lockfile-registry-resolved"])
})

describe("an install", () => {
  it("skips no optional package because of the Node that runs npm", () => {
    const skippable = Object.entries(lockedPackages()).filter(
      ([, { engines, optional }]) => optional === true && engines !== undefined
    )
    expect(
      skippable.map(([path]) => path),
      "remove `engines` of these packages from package-lock.json"
    ).toEqual([])
  })

  it("says in one line which Node is supported, only to an older one", () => {
    expect(oldNodeLine("npm/8.19.4 node/v16.20.2 linux x64 workspaces/false")).toBe(
      "signalbox: npm runs on Node 16.20.2; supported: Node 18 or newer. The daemons use the Node of the lockfile."
    )
    expect(oldNodeLine("npm/9.2.0 node/v18.19.0 linux x64 workspaces/false")).toBeUndefined()
    expect(oldNodeLine("npm/11.0.0 node/v24.1.0 linux x64 workspaces/false")).toBeUndefined()
    expect(oldNodeLine(undefined)).toBeUndefined()
  })
})
