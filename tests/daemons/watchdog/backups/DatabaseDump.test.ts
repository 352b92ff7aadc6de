import { it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { dump } from "#daemons/watchdog/backups/parts/DatabaseDump.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"

/** A pg_dump that fails with several connections, in these words, and leaves half a dump. */
const failing = (words: string, log: string) => `#!/bin/sh
echo "$*" >> ${log}
for word in "$@"; do case "$word" in --file=*) folder="\${word#--file=}";; esac; done
mkdir "$folder" || exit 1
case "$*" in *--jobs=1*) exit 0;; esac
touch "$folder/half"
cat >&2 << 'END'
${words}
END
exit 1
`

const lockWords = `pg_dump: error: could not obtain lock on relation "public.a"
This usually means that someone requested an ACCESS EXCLUSIVE lock on the table after the pg_dump parent process had
gotten the initial ACCESS SHARE lock on the table.`

const runs = Effect.fnUntraced(function* (words: string) {
  const { target } = yield* freshDatabase
  const place = yield* temporaryDirectory("dump")
  const [program, log, folder] = [join(place, "pg_dump"), join(place, "log"), join(place, "out")]
  writeFileSync(program, failing(words, log), { mode: 0o755 })
  const source = { target, embedded: false, facts: { database: target.database, major: 15, bypasses: true } }
  const exit = yield* Effect.exit(dump(source, program, folder))
  const jobs = readFileSync(log, "utf8").match(/--jobs=\d/g)
  return { succeeded: exit._tag === "Success", jobs, isClean: !existsSync(join(folder, "half")) }
})

it.live("a dump that fails only with several connections is made again with one", () =>
  Effect.gen(function* () {
    const again = { succeeded: true, jobs: ["--jobs=2", "--jobs=1"], isClean: true }
    expect(yield* runs(lockWords)).toEqual(again)
    const full = "pg_dump: error: connection to server failed: FATAL:  sorry, too many clients already"
    expect(yield* runs(full)).toEqual(again)
    expect(yield* runs("pg_dump: error: permission denied for table a")).toEqual({
      succeeded: false,
      jobs: ["--jobs=2"],
      isClean: false
    })
  }).pipe(Effect.scoped)
)
