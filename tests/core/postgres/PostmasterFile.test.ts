import { mkdirSync, readFileSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { holds, segmentInUse } from "#core/postgres/Orphans.ts"
import { isServing, namedWithin, parse, removeMisleading } from "#core/postgres/PostmasterFile.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

const fileOf = (pid: number) => `${pid}\n/data\n1795261524\n5432\n/run/pg\n\n  2147619         8\nready   \n`
/** Above the largest process id of Linux (2^22). */
const nobodysPid = 99_999_999

describe("PostmasterFile", () => {
  it("reads complete, partial and invalid files", () => {
    assert.deepStrictEqual(parse(fileOf(9070)), { pid: 9070, socketDir: "/run/pg" })
    assert.deepStrictEqual(parse("9070\n/data\n"), { pid: 9070, socketDir: "" })
    for (const text of ["", "\n", "x\n", "-3\n", "1.5\n"]) assert.isUndefined(parse(text), JSON.stringify(text))
  })

  it.effect("removes a file that names a foreign process, and no other", () =>
    Effect.gen(function* () {
      const data = join(yield* temporaryDirectory(), "data")
      const lock = join(data, "lock")
      mkdirSync(data)
      writeFileSync(join(data, "postmaster.pid"), fileOf(process.pid))
      writeFileSync(lock, fileOf(nobodysPid))
      removeMisleading(data, lock)
      assert.deepStrictEqual(readdirSync(data), ["lock"])
      assert.strictEqual(readFileSync(lock, "utf8"), fileOf(nobodysPid))
      removeMisleading(data, join(data, "none"))
    })
  )

  it.effect("removes a file without a process after a grace period", () =>
    Effect.gen(function* () {
      const data = join(yield* temporaryDirectory(), "data")
      const lock = join(data, "lock")
      mkdirSync(data)
      for (const text of ["", "x"]) {
        writeFileSync(join(data, "postmaster.pid"), text)
        writeFileSync(lock, text)
        const old = (Date.now() - namedWithin - 100) / 1000
        utimesSync(lock, old, old)
        removeMisleading(data, lock)
        assert.deepStrictEqual(readdirSync(data), ["postmaster.pid"])
        // A file with a date in the future, from a wrong clock.
        utimesSync(join(data, "postmaster.pid"), old + 1000, old + 1000)
        removeMisleading(data, lock)
        assert.deepStrictEqual(readdirSync(data), [])
      }
    })
  )

  it("recognises a server by its working directory", () => {
    assert.isTrue(isServing(process.pid, process.cwd()))
    assert.isFalse(isServing(process.pid, "/usr"))
    assert.isFalse(isServing(nobodysPid, "/usr"))
  })

  it("recognises remains of a killed server by its memory segment", () => {
    assert.strictEqual(segmentInUse("FATAL:  pre-existing shared memory block (key 2147619, ID 8) is still in use"), 8)
    assert.isUndefined(segmentInUse("FATAL:  could not map anonymous shared memory"))
    const maps =
      "7f00-7f01 rw-s 00000000 00:01 8    /SYSV0020c523 (deleted)\n7f02-7f03 r--p 00000000 00:01 9    /lib/x.so\n"
    assert.isTrue(holds(maps, 8))
    assert.isFalse(holds(maps, 9))
    assert.isFalse(holds("", 8))
  })
})
