/**
 * Watches whether the data directory of a running process still exists. Without it the process has neither database nor
 * keys, and new files would land in a directory that nobody finds.
 */
import { Duration, Effect, Schema } from "effect"
import { existsSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { layoutOf } from "../postgres/ServerLayout.ts"

/** The data directory, or the database in it, was removed or its disk unmounted. Only an operator can bring it back. */
export class DataDirectoryGone extends Schema.TaggedError<DataDirectoryGone>()("DataDirectoryGone", {
  path: Schema.String
}) {
  override get message() {
    return `${this.path} has vanished while the program ran; bring the data directory back, then start again`
  }
}

/**
 * Interval of checks. Reason: a check wakes an idle process, and the process still ends within a second.
 */
const interval = Duration.seconds(1)

/** Existing paths whose loss ends the process. `embedded`: the database is below the data directory. */
export const watchedPaths = (dataDir: string, embedded: boolean): ReadonlyArray<string> =>
  existsSync(dataDir) ? [dataDir, ...(embedded ? [join(layoutOf(realpathSync(dataDir)).data, "PG_VERSION")] : [])] : []

/** Fails when one of the paths no longer exists. */
export const untilGone = (paths: ReadonlyArray<string>): Effect.Effect<never, DataDirectoryGone> =>
  Effect.gen(function* () {
    while (true) {
      const gone = paths.find((path) => !existsSync(path))
      if (gone !== undefined) return yield* new DataDirectoryGone({ path: gone })
      yield* Effect.sleep(interval)
    }
  })
