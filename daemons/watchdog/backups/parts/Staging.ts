/** Folders in which backups are prepared and restored on trial. What a killed process left is removed first. */
import { mkdirSync, rmSync, statfsSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Schema, type Scope } from "effect"

export class StagingFailed extends Schema.TaggedError<StagingFailed>()("StagingFailed", { message: Schema.String }) {}

/** An empty folder `name` below `parent`; the end of the scope removes it. */
export const folder = (parent: string, name: string): Effect.Effect<string, StagingFailed, Scope.Scope> => {
  const path = join(parent, name)
  return Effect.acquireRelease(
    Effect.try({
      try: () => {
        rmSync(path, { recursive: true, force: true })
        // The account of the embedded server passes through them.
        mkdirSync(parent, { recursive: true, mode: 0o711 })
        mkdirSync(path, { recursive: true, mode: 0o711 })
        return path
      },
      catch: (error) => new StagingFailed({ message: `the folder ${path} cannot be made: ${wordsOf(error)}` })
    }),
    // Not at once: the end of a file of some GB takes a second.
    () => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
  )
}

/** Room that must stay free beside a dump. Unit: bytes. Reason: Postgres stops on a full disk. */
const reserve = 256 * 1024 ** 2

/** Fails when the file system has no room for so many bytes more. */
export const requireRoom = (path: string, bytes: number): Effect.Effect<void, StagingFailed> =>
  Effect.suspend(() => {
    const { bavail, bsize } = statfsSync(path)
    const free = bavail * bsize
    return free >= bytes + reserve
      ? Effect.void
      : Effect.fail(
          new StagingFailed({
            message:
              `${path} has ${Math.floor(free / 1e6)} MB free, ` +
              `but ${Math.ceil((bytes + reserve) / 1e6)} MB are needed`
          })
        )
  })

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
