import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect } from "vitest"
import { fullId, rangeOf } from "#core/cli/ShortId.ts"
import { inFrame } from "#support/Frame.ts"

describe("the beginning of an id", () => {
  it("is a range of ids", () => {
    expect(rangeOf("1a2B")).toEqual(["1a2b0000-0000-0000-0000-000000000000", "1a2bffff-ffff-ffff-ffff-ffffffffffff"])
    expect(rangeOf("1a2b3c4d-5e")).toEqual([
      "1a2b3c4d-5e00-0000-0000-000000000000",
      "1a2b3c4d-5eff-ffff-ffff-ffffffffffff"
    ])
    for (const typed of ["1a2", "", "1a2b3c4d5e", "xyz1", "1a2b3c4d-5e6f-7081-92a3-b4c5d6e7f8091", "1a-2b", "%"])
      expect(rangeOf(typed), typed).toBeUndefined()
  })

  it.live("finds the one row that has it, and names several", () =>
    inFrame(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [one, two, three] = [
          "1a2b3c4d-0000-4000-8000-000000000001",
          "1a2b3c4d-0000-4000-8000-000000000002",
          "ffff3c4d-0000-4000-8000-000000000003"
        ]
        yield* sql`create table public.thing (id uuid primary key)`
        for (const id of [one, two, three]) yield* sql`insert into public.thing values (${id}::uuid)`
        const found = (typed: string) => fullId("public.thing", "alarm", typed)
        assert.strictEqual(yield* found("ffff"), three)
        assert.strictEqual(yield* found(one.toUpperCase()), one)
        const failed = (typed: string) => Effect.map(Effect.flip(found(typed)), ({ message }) => message)
        assert.include(yield* failed("1a2b3c4d-"), `${one}, ${two}; type more of it`)
        assert.include(yield* failed("2222"), "no alarm has an id that begins with 2222")
        assert.include(yield* failed("zz"), "zz is no alarm id")
      })
    )
  )
})
