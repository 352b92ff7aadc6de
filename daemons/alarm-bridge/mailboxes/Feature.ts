import { Effect, Layer } from "effect"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { alarmMinute } from "#core/config/AlarmSettings.ts"
import { settings } from "#core/config/Environment.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { type Component, Health } from "#core/daemon/Health.ts"
import * as SecondPath from "#core/second-path/SecondPath.ts"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import * as BridgeState from "../intake/BridgeState.ts"
import * as MailReader from "../intake/MailReader.ts"
import { mailboxesSettings } from "./MailboxesSettings.ts"
import type { MailboxSettings } from "./MailboxSettings.ts"
import { mailboxWatch } from "./MailboxWatch.ts"
import { mailboxKeeper } from "./MailboxKeeper.ts"
import { mailboxes as tables } from "./migrations/0001_mailboxes.ts"

/** Reports unreadable mailboxes to operators. */
const secondPath = Layer.unwrap(
  Effect.map(settings({ minute: alarmMinute }), ({ minute }) => SecondPath.layer({ daemon: "alarm-bridge", minute }))
)

const register = Effect.gen(function* () {
  const config = yield* liveSettings(mailboxesSettings)
  const path = yield* SecondPath.SecondPath
  yield* Supervisor.actor(path.actor)
  yield* Health.component("second_path", path.component)
  yield* Health.component(
    "mailboxes",
    component(() => config.mailboxes)
  )
  yield* Supervisor.actor(mailboxWatch(config))
  yield* Supervisor.actor(mailboxKeeper(config))
})

const component = (present: () => ReadonlyArray<MailboxSettings>) =>
  Effect.map(BridgeState.BridgeState, ({ mailboxes: states }): Component => {
    const mailboxes = present()
    if (mailboxes.length === 0) return { status: "unconfigured" }
    const failing = mailboxes.flatMap(({ name }) => states.get(name)?.error ?? [])
    return failing.length === 0 ? { status: "ok" } : { status: "degraded", detail: failing.join("; ") }
  })

/** Feature: alarm mail from IMAP mailboxes. */
export const mailboxes = Feature.make({
  settings: mailboxesSettings,
  migrations: [tables],
  queues: [AlarmTrigger],
  layer: Layer.provide(Layer.effectDiscard(register), Layer.mergeAll(MailReader.layer, BridgeState.layer, secondPath))
})
