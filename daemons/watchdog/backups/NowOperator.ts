/**
 * The command `signalbox backup now`: makes a backup in this process. It needs no running daemon and runs no migration,
 * so it is the backup before an upgrade, also with the newer program.
 */
import { randomUUID } from "node:crypto"
import { Console, Effect, Layer, Option } from "effect"
import { SqlError } from "effect/sql"
import { Ended, fail } from "#core/cli/Ending.ts"
import { print } from "#core/cli/Output.ts"
import { operatorDatabase } from "#core/cli/Storage.ts"
import { exitConfig, settings } from "#core/config/Environment.ts"
import * as Sql from "#core/sql/Sql.ts"
import type { BackupType } from "./BackupWords.ts"
import * as Restic from "./engine/Restic.ts"
import { runBackup } from "./jobs/BackupRun.ts"
import { sizeText } from "#core/words/Amounts.ts"
import { backupSettings, isConfigured } from "./Settings.ts"

/** Folder of the dump. Not that of the daemon, which may make a backup at the same time. */
const stage = "stage-now"

export const now = Effect.fnUntraced(function* (flags: {
  readonly type: Option.Option<BackupType>
  readonly json: boolean
}) {
  const config = yield* settings(backupSettings)
  if (!isConfigured(config)) {
    return yield* fail(
      "There is no repository: set SIGNALBOX_BACKUP_REPOSITORY and SIGNALBOX_BACKUP_PASSWORD, then run " +
        "`signalbox backup init`.",
      exitConfig
    )
  }
  const made = yield* Effect.scoped(
    Effect.gen(function* () {
      const store = yield* operatorDatabase({ creates: false })
      yield* Console.error("making the backup")
      const job = { id: randomUUID(), type: Option.getOrElse(flags.type, () => "full" as const), schedule: null }
      return yield* runBackup({ at: () => {}, config, restic: Restic.make(config), stage }, job).pipe(
        Effect.mapError((error) => fail(SqlError.isSqlError(error) ? Sql.innermost(error) : error.message)),
        Effect.provide(Sql.layer.pipe(Layer.provideMerge(store.layer)))
      )
    })
  )
  yield* print(flags.json, made, () => [
    `backup ${made.snapshot?.slice(0, 8) ?? ""}, ${sizeText(made.size ?? 0)}, ${sizeText(made.added ?? 0)} new`,
    ...made.leftOut.map(({ reason, what }) => `without ${what}: ${reason}`)
  ])
  if (made.problem === null) return
  yield* Console.error(made.problem)
  return yield* new Ended({ code: 1 })
})
