/**
 * Records the reported troubles in a small file, so that a restart repeats no report and still reports their end. The
 * file is replaced atomically. Losing it is harmless: troubles that persist are reported once more.
 */
import { Effect, Option, Schema } from "effect"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { identityOf } from "../supervision/ProcessIdentity.ts"
import { empty, type State } from "./Troubles.ts"

/** Largest file that is read. Unit: bytes. Reason: a thousand troubles are far smaller. */
const maxSize = 4 * 1024 * 1024

const Content = Schema.fromJsonString(
  Schema.Struct({
    /** Process id and identity of the writer. */
    pid: Schema.Int,
    identity: Schema.optionalKey(Schema.NullOr(Schema.String)),
    noticed_at: Schema.NullOr(Schema.Finite),
    told: Schema.Array(
      Schema.Struct({
        told_at: Schema.Finite,
        missing_since: Schema.NullOr(Schema.Finite),
        trouble: Schema.Struct({
          key: Schema.String,
          watch: Schema.String,
          since: Schema.Finite,
          after: Schema.Finite,
          once: Schema.optionalKey(Schema.Boolean),
          replaces: Schema.optionalKey(Schema.String),
          sequel: Schema.optionalKey(Schema.Boolean),
          what: Schema.String,
          advice: Schema.String
        })
      })
    )
  })
)

const decode = Schema.decodeUnknownOption(Content)

/** State written by an earlier process. Empty when the writer is still alive, because it will report the end itself. */
export const read = (path: string): Effect.Effect<State> =>
  Effect.promise(() => readFile(path, "utf8").catch(() => "")).pipe(
    Effect.map((text) => (text.length > maxSize ? Option.none() : decode(text))),
    Effect.map(
      Option.match({
        onNone: () => empty,
        onSome: ({ identity, noticed_at, pid, told }): State =>
          pid !== process.pid && isAlive(pid, identity ?? undefined)
            ? empty
            : {
                noticedAt: noticed_at,
                causes: new Map(
                  told.map(({ missing_since, told_at, trouble }) => [
                    trouble.key,
                    { trouble, toldAt: told_at, missingSince: missing_since }
                  ])
                )
              }
      })
    )
  )

/** Writes the state. A failure is logged; the reports may then be repeated after a restart. */
export const write = (path: string, content: string): Effect.Effect<void> =>
  Effect.tryPromise(async () => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const draft = `${path}.${process.pid}`
    await writeFile(draft, content, { mode: 0o600, flush: true })
    await rename(draft, path)
  }).pipe(Effect.catch((error) => Effect.logWarning(`cannot record which notices were mailed: ${String(error.cause)}`)))

/** Content of the file. */
export const contentOf = (state: State): string =>
  JSON.stringify({
    pid: process.pid,
    identity: identityOf(process.pid) ?? null,
    noticed_at: state.noticedAt,
    told: Array.from(state.causes.values())
      .filter(({ toldAt }) => toldAt !== null)
      .map(({ missingSince, toldAt, trouble }) => ({ told_at: toldAt, missing_since: missingSince, trouble }))
  })

/** Whether the writer still runs. After a boot another process may have its process id. */
const isAlive = (pid: number, identity: string | undefined): boolean =>
  identity !== undefined && identityOf(pid) === identity
