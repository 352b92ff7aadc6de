import { it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { expect } from "vitest"
import * as ToldFile from "#core/second-path/ToldFile.ts"
import { empty, type State } from "#core/second-path/Troubles.ts"
import { identityOf } from "#core/supervision/ProcessIdentity.ts"
import { temporaryDirectory } from "#support/Postgres.ts"

const trouble = { key: "a", watch: "test", since: 1, after: 2, what: "a is broken", advice: "mend it" }
const state: State = {
  noticedAt: 7,
  causes: new Map([
    ["a", { trouble, toldAt: 5, missingSince: null }],
    ["b", { trouble: { ...trouble, key: "b" }, toldAt: null, missingSince: null }]
  ])
}

it.live("contains all sent notices, readable by its owner only, without leftover files", () =>
  Effect.gen(function* () {
    const folder = `${yield* temporaryDirectory()}/second-path`
    yield* ToldFile.write(`${folder}/test.json`, ToldFile.contentOf(state))
    expect(readdirSync(folder)).toEqual(["test.json"])
    expect(statSync(`${folder}/test.json`).mode & 0o777).toBe(0o600)
    const read = yield* ToldFile.read(`${folder}/test.json`)
    expect(read.noticedAt).toBe(7)
    expect([...read.causes]).toEqual([["a", { trouble, toldAt: 5, missingSince: null }]])
  })
)

it.live("notices of a living process are ended by that process; those of a dead one by us", () =>
  Effect.gen(function* () {
    const path = `${yield* temporaryDirectory()}/test.json`
    const writtenBy = (pid: number, identity: string | null | undefined) =>
      writeFileSync(path, JSON.stringify({ ...JSON.parse(ToldFile.contentOf(state)), pid, identity }))
    writtenBy(process.ppid, identityOf(process.ppid))
    expect(yield* ToldFile.read(path)).toEqual(empty)
    // Another process has the id of the writer: after a boot, or of the same boot and started later.
    for (const other of [`00000000-0000-4000-8000-000000000000 17`, identityOf(process.pid), null, undefined]) {
      writtenBy(process.ppid, other)
      expect((yield* ToldFile.read(path)).causes.size).toBe(1)
    }
    // Above the largest process id. Source: proc(5), pid_max.
    writtenBy(2 ** 22 + 1, identityOf(process.pid))
    expect((yield* ToldFile.read(path)).causes.size).toBe(1)
    expect(readFileSync(path, "utf8")).toContain("a is broken")
  })
)
