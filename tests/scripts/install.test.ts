import { describe, expect, it } from "vitest"
import { lockedPackages, oldNodeLine } from "../../scripts/devTools.ts"

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
