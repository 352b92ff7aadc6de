import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { settings } from "#core/config/Environment.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { guardedHost, mailLogins } from "../accounts/Exports.ts"
import { MailboxWatchApi } from "./Api.ts"
import { status } from "./Handlers.ts"
import { watchActors } from "./MailboxSlots.ts"
import * as MailboxWatch from "./MailboxWatch.ts"
import { watching } from "./migrations/0002_watching.ts"
import { turns } from "./migrations/0006_turns.ts"
import { push } from "./push/Handlers.ts"
import * as PushAuthentication from "./push/PushAuthentication.ts"
import * as PushNotes from "./push/PushNotes.ts"
import { watchSettings } from "./Settings.ts"

const watch = Layer.unwrap(Effect.map(settings(watchSettings), MailboxWatch.layer))

/** Watches the mailboxes of all accounts and emits events about new mail and changed counters. */
export const mailboxWatch = Feature.make({
  settings: watchSettings,
  migrations: [watching, turns],
  routes: [{ prefix: "/api/v1/mail/push", rateLimited: false }],
  api: MailboxWatchApi,
  layer: Layer.mergeAll(
    HttpApiBuilder.layer(MailboxWatchApi).pipe(
      Layer.provide([status, push]),
      Layer.provide([PushNotes.layer, PushAuthentication.layer])
    ),
    Layer.effectDiscard(
      Effect.all([Supervisor.actors(watchActors), Health.components(MailboxWatch.health), MailboxWatch.metrics])
    ).pipe(Layer.provide([watch, mailLogins, guardedHost]))
  )
})
