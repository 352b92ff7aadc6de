import { candidates, rank, tryOut } from "#core/postgres/ServerBinaries.ts"
import { compareVersions, oldServer, parseVersion } from "#core/postgres/ServerVersion.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

const system = (version: string) => ({ binDir: `/usr/lib/postgresql/${version}/bin`, version, native: undefined })
const packaged = { binDir: "/p/native/bin", version: "18.4.0-beta.17", native: "/p/native" }
const best = (...args: Parameters<typeof rank>) => rank(...args)[0]

describe("ServerBinaries", () => {
  it("gives a new cluster the version of the package, else the newest sufficient one of the system", () => {
    assert.strictEqual(best([system("19.1"), packaged], undefined), packaged)
    assert.strictEqual(best([system("9.6"), system("15.2"), system("16.1")], undefined)?.version, "16.1")
    assert.isUndefined(best([system("14.9")], undefined))
    assert.isUndefined(best([], undefined))
  })

  it("opens an existing cluster only with its own major version", () => {
    assert.strictEqual(best([packaged, system("16.2")], 16)?.version, "16.2")
    assert.isUndefined(best([packaged, system("16.2")], 17))
  })

  it("prefers a newer server of the same major version, and has the other one behind it", () => {
    assert.deepStrictEqual(rank([packaged, system("18.10")], 18), [system("18.10"), packaged])
    assert.deepStrictEqual(rank([packaged, system("18.10")], undefined), [system("18.10"), packaged])
    assert.strictEqual(best([system("18.4"), packaged], 18), packaged)
    assert.strictEqual(best([system("18.3"), packaged], 18), packaged)
  })

  it("finds the package from wherever the code runs", () => {
    assert.isTrue(candidates().some(({ native, version }) => native !== undefined && version.startsWith("18.")))
  })

  it.live("tries programs out without blocking, and a trial that takes too long can be repeated", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory()
      const script = (text: string) =>
        Effect.sync(() => writeFileSync(join(directory, "postgres"), `#!/bin/sh\n${text}\n`, { mode: 0o755 }))
      const env = { PATH: "/usr/bin:/bin" }
      // The program ends when this process has gone on with other work.
      const goneOn = join(directory, "gone-on")
      yield* script(`until [ -e ${goneOn} ]; do sleep 0.02; done`)
      yield* Effect.forkChild(
        Effect.andThen(
          Effect.sleep(50),
          Effect.sync(() => writeFileSync(goneOn, ""))
        )
      )
      assert.isUndefined(yield* tryOut(directory, ["env"], env))
      yield* script("echo no library >&2; exit 1")
      assert.strictEqual(yield* tryOut(directory, ["env"], env), "no library")
      assert.match((yield* tryOut(directory, ["/nowhere/setpriv"], env)) ?? "", /ENOENT/)
      yield* script("exec sleep 60")
      const slow = yield* Effect.flip(tryOut(directory, ["env"], env, 100))
      assert.deepStrictEqual([slow.reason, slow.isRetryable], ["StartTimeout", true])
    }).pipe(Effect.scoped)
  )
})

describe("versions", () => {
  it("are compared by number", () => {
    assert.deepStrictEqual(parseVersion("15.20 (Debian 15.20-0+deb12u1)"), { major: 15, minor: 20 })
    assert.deepStrictEqual(parseVersion("18.4.0-beta.17"), { major: 18, minor: 4 })
    assert.isAbove(compareVersions(parseVersion("18.10"), parseVersion("18.9")), 0)
    assert.isBelow(compareVersions(parseVersion("17.9"), parseVersion("18.1")), 0)
  })

  it("are old before the newest known one", () => {
    assert.match(
      oldServer("18.4", true)!,
      /^Postgres 18\.4 is older than 18\.6.* postgresql-18 of apt\.postgresql\.org/
    )
    assert.match(oldServer("15.18 (Debian 15.18-0+deb12u1)", false)!, /older than 15\.20.* update of its distribution$/)
    assert.isUndefined(oldServer("18.6", true))
    assert.isUndefined(oldServer("18.12", true))
    assert.isUndefined(oldServer("19.0", true))
  })
})
