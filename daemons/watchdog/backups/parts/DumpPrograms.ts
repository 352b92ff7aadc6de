/**
 * Finds pg_dump and pg_restore. pg_dump refuses servers that are newer than itself, so its major version decides
 * whether a database is dumped or, for the embedded server, copied with its files.
 */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { outputOf } from "../engine/Programs.ts"
import { StagingFailed } from "./Staging.ts"

/** Folder with the versions of Debian's packages. */
const debianFolder = "/usr/lib/postgresql"

/** Path of a program that works with a server of this major version; undefined: none. */
export const find = (program: "pg_dump" | "pg_restore", serverMajor: number) =>
  Effect.gen(function* () {
    const packaged = existsSync(debianFolder)
      ? readdirSync(debianFolder)
          .map(Number)
          .filter((major) => major >= serverMajor && existsSync(join(debianFolder, String(major), "bin", program)))
          .toSorted((a, b) => a - b)
      : []
    if (packaged[0] !== undefined) return join(debianFolder, String(packaged[0]), "bin", program)
    const said = yield* Effect.option(outputOf({ program, args: ["--version"] }))
    return said._tag === "Some" && majorOf(said.value) >= serverMajor ? program : undefined
  })

/** Major version in `pg_dump (PostgreSQL) 15.18 (Debian …)`. Pure. */
export const majorOf = (text: string): number => Number(/\(PostgreSQL\) (\d+)/.exec(text)?.[1] ?? 0)

/** No pg_dump here works with the server. */
export const missing = (major: number) =>
  new StagingFailed({
    message: `no pg_dump of version ${major} or newer is installed (apt install postgresql-client-${major})`
  })
