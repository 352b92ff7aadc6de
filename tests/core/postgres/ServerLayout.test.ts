import { join } from "node:path"
import { layoutOf, socketPathLimit } from "#core/postgres/ServerLayout.ts"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"

describe("ServerLayout", () => {
  it("puts the socket beside the data if the path fits, to the byte", () => {
    const longest = `/${"ä".repeat((socketPathLimit - "/postgres/run/.s.PGSQL.5432".length) / 2 - 1)}`
    const rest = socketPathLimit - Buffer.byteLength(`${longest}/postgres/run/.s.PGSQL.5432`)
    assert.strictEqual(layoutOf(longest + "a".repeat(rest)).socketDir, join(longest + "a".repeat(rest), "postgres/run"))
    assert.match(layoutOf(longest + "a".repeat(rest + 1)).socketDir, /^\/tmp\/signalbox-[0-9a-f]{16}$/)
  })

  it("puts every other file below the data directory", () => {
    assert.deepStrictEqual(layoutOf("/d"), {
      root: "/d/postgres",
      data: "/d/postgres/data",
      links: "/d/postgres/lib",
      log: "/d/postgres/server.log",
      hba: "/d/postgres/pg_hba.conf",
      ident: "/d/postgres/pg_ident.conf",
      socketDir: "/d/postgres/run"
    })
  })

  it("gives each data directory one socket path that fits", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }), (name) => {
        const { socketDir } = layoutOf(`/${name}`)
        assert.isAtMost(Buffer.byteLength(`${socketDir}/.s.PGSQL.5432`), socketPathLimit)
        assert.strictEqual(layoutOf(`/${name}`).socketDir, socketDir)
      })
    )
    assert.notStrictEqual(layoutOf(`/${"a".repeat(150)}`).socketDir, layoutOf(`/${"b".repeat(150)}`).socketDir)
  })
})
