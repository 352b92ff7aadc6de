import { candidates, choose } from "#core/postgres/ServerBinaries.ts"
import { assert, describe, it } from "@effect/vitest"

const system = (version: string) => ({ binDir: `/usr/lib/postgresql/${version}/bin`, version, native: undefined })
const packaged = { binDir: "/p/native/bin", version: "18.4.0-beta.17", native: "/p/native" }

describe("ServerBinaries", () => {
  it("prefers the package, then the newest sufficient version of the system", () => {
    assert.strictEqual(choose([system("19"), packaged], undefined), packaged)
    assert.strictEqual(choose([system("9"), system("15"), system("16")], undefined)?.version, "16")
    assert.isUndefined(choose([system("14")], undefined))
  })

  it("opens an existing cluster only with its own major version", () => {
    assert.strictEqual(choose([packaged, system("16")], 16)?.version, "16")
    assert.strictEqual(choose([system("18"), packaged], 18), packaged)
    assert.isUndefined(choose([packaged, system("16")], 17))
  })

  it("finds the package from wherever the code runs", () => {
    assert.isTrue(candidates().some(({ native, version }) => native !== undefined && version.startsWith("18.")))
  })
})
