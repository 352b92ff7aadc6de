import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { temporaryDirectory } from "./Postgres.ts"

const modulePath = join(import.meta.dirname, "BuildLock.ts")

it("lets one process build at a time", async () => {
  const build = Effect.gen(function* () {
    const log = join(yield* temporaryDirectory(), "log")
    const program = `import { buildAlone } from ${JSON.stringify(modulePath)}
      buildAlone("sh", ["-c", "echo begin >> $0; sleep 0.2; echo end >> $0", ${JSON.stringify(log)}], "ignore")`
    const once = () => promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program])
    yield* Effect.promise(() => Promise.all([once(), once(), once()]))
    return readFileSync(log, "utf8").trim().split("\n")
  })
  expect(await Effect.runPromise(Effect.scoped(build))).toEqual(["begin", "end", "begin", "end", "begin", "end"])
})
