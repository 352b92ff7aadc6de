import { Duration, Effect } from "effect"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { attempt } from "./alarms/attempt/DeliverTarget.ts"
import { type Channel, channels } from "./alarms/subject/AlarmSubject.ts"
import { CallChannel } from "./channels/call/CallChannel.ts"
import { codeMessages } from "./channels/messenger/CodeMessages.ts"
import type { CommConfig } from "./Config.ts"
import { deliveries } from "./alarms/attempt/DeliveryJobs.ts"
import * as Ledger from "./alarms/ledger/Ledger.ts"
import { recheck } from "./channels/health/RecoveryProbe.ts"
import * as NotificationActors from "./notifications/NotificationActors.ts"
import { Recorder } from "./alarms/attempt/BeginAttempt.ts"
import { Results } from "./alarms/run/ResultCache.ts"
import * as SecondPathParts from "./alarms/watch/AlarmWatches.ts"
import { eventWorkflows } from "./workflows/definitions/Registry.ts"
import * as WorkflowActors from "./workflows/WorkflowActors.ts"

/** Triggers in hand at once. Unit: jobs. Those that wait for one transaction go together in the next. */
const triggerConcurrency = 32

/**
 * Deliveries in hand at once in one process. Unit: jobs. Of the webhooks one host has at most `mostPerHost` under way: the
 * others are there for the hosts beside those that hang. Of the messages one is begun at a time (`messagesAtOnce`); the
 * other is claimed ahead of its turn. Of the calls in hand nearly all wait for their turn,
 * the gravest in front; whoever waits in the queue instead could not be passed by a graver one.
 */
const concurrency: Record<Channel, number> = { call: 64, messenger: 2, messenger_voice: 1, webhook: 64, sms: 1 }

/** Between two prunings of the ledger. */
const pruneInterval = Duration.hours(1)

const triggers = Effect.gen(function* () {
  const jobs = yield* Jobs
  const recorder = yield* Recorder
  const results = yield* Results
  return jobs.worker({
    type: AlarmTrigger,
    concurrency: triggerConcurrency,
    handle: Effect.fnUntraced(function* (job) {
      const { finished } = yield* recorder.start({ job })
      if (finished !== undefined) yield* results.remember(finished)
    })
  })
})

const deliverer = (channel: Channel, config: CommConfig) =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const results = yield* Results
    return jobs.worker({
      type: deliveries[channel],
      concurrency: concurrency[channel],
      handle: (job) =>
        Effect.flatMap(attempt(job, channel, config), (finished) =>
          finished === undefined ? Effect.void : results.remember(finished)
        )
    })
  })

const pruning = (config: CommConfig): ActorSpec<any> => ({
  name: "ledger pruning",
  placed: true,
  stallAfter: Duration.times(pruneInterval, 3),
  run: Effect.gen(function* () {
    const actor = yield* Actor
    while (true) {
      yield* actor.progress
      yield* Ledger.prune(config.ledgerDays)
      yield* Effect.sleep(pruneInterval)
    }
  })
})

export const actors = (config: CommConfig) =>
  Effect.gen(function* () {
    const deliverers = yield* Effect.forEach(channels, (channel) => deliverer(channel, config))
    const { actors: telephone } = yield* CallChannel
    return [
      yield* triggers,
      ...telephone,
      ...deliverers,
      yield* codeMessages,
      ...(yield* SecondPathParts.actors(config)),
      recheck,
      pruning(config),
      ...(yield* NotificationActors.actors(config)),
      ...(yield* WorkflowActors.actors(eventWorkflows, { language: config.alarmLanguage, minute: config.minute }))
    ]
  })
