import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { settings } from "#core/config/Environment.ts"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { alerts } from "../alerting/Exports.ts"
import { BackupsApi } from "./Api.ts"
import { backups as handlers } from "./Handlers.ts"
import { runner } from "./jobs/Runner.ts"
import { scheduleActor } from "./jobs/ScheduleActor.ts"
import { backups as tables } from "./migrations/0031_backups.ts"
import { backupConflicts, backupSettings, isConfigured } from "./Settings.ts"

const work = Layer.effectDiscard(
  Effect.gen(function* () {
    const config = yield* settings(backupSettings)
    yield* Supervisor.actor(runner(config))
    yield* Supervisor.actor(scheduleActor(config))
    yield* Health.component(
      "backups",
      Effect.succeed(
        isConfigured(config)
          ? { status: "ok" as const }
          : { status: "unconfigured" as const, detail: "SIGNALBOX_BACKUP_REPOSITORY is not set: nothing is backed up" }
      )
    )
  })
)

/** Scheduled backups with restic, restore drills and restores. */
export const backups = Feature.make({
  settings: backupSettings,
  conflicts: backupConflicts,
  migrations: [tables],
  queues: [NotificationWanted],
  api: BackupsApi,
  layer: Layer.merge(HttpApiBuilder.layer(BackupsApi).pipe(Layer.provide(handlers)), work).pipe(Layer.provide(alerts))
})
