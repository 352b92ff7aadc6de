/**
 * The two senders. `messageSender` is placed: one process of the fleet plans messages from Postgres and sends them.
 * `outageSender` runs in each process: it follows Postgres, sends without it, and brings the outage into it.
 */
import { Duration, Effect, Exit } from "effect"
import { hostname } from "node:os"
import { providerTenant } from "#core/auth/Caller.ts"
import { alarmReceived, AlarmTrigger } from "#core/contracts/Alarm.ts"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import { Wake } from "#core/events/Wake.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as Backoff from "#core/supervision/Backoff.ts"
import { Actor } from "#core/supervision/Supervisor.ts"
import * as Metrics from "#core/metrics/Metrics.ts"
import { AlertDesk, countAttempt } from "./AlertDesk.ts"
import * as AlertStore from "./AlertStore.ts"
import { calmed } from "./Incident.ts"
import { mergeOutage } from "./MergeOutage.ts"
import { plan } from "./MessagePlan.ts"
import { deliveriesOf, messageOf } from "./Messages.ts"
import * as MessageStore from "./MessageStore.ts"
import { inEveryLanguage } from "#core/words/ChooseLanguage.ts"
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import { momentIn } from "#core/words/TimeZone.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { textOf, timesOf } from "./MessageText.ts"
import { zoneOf } from "./Readers.ts"
import { dueNow, isEmpty, noOutage, planned, type Snapshot } from "./OutageState.ts"
import { alertTopic, recordChange } from "./RecordChange.ts"
import { defaultRules, messageRules } from "./Rules.ts"
import { severities } from "./Words.ts"

/** Interval of rounds. Unit: seconds. Reason: small against the time of gathering. */
const roundInterval = 5

/** Shortest interval in tests, which shorten the second. Unit: milliseconds. */
const leastInterval = 20

/** Longest wait for Postgres in a round. Reason: a server that hangs counts as away. */
const patience = Duration.seconds(10)

/** Longest wait for Postgres when another process takes over the sending. Reason: the whole stop has 20 s. */
const handOver = Duration.seconds(2)

/** How long Postgres is away before people are told. Unit: seconds. Reason: longer than its restart. */
export const awayAfter = 60

/** Key of the alert about Postgres. */
export const databaseKey = "postgres"

const open = Metrics.gauge("alerts_open", {
  daemon: "watchdog",
  help: "Open alerts of the watchdog, by severity.",
  labels: ["severity"]
})

const intervalOf = (second: number) => Math.max(leastInterval, roundInterval * second)

/** One round of the placed sender. Returns the deliveries to send now. */
export const databaseRound = (room: number) =>
  Effect.gen(function* () {
    const desk = yield* AlertDesk
    const { second } = desk.settings
    return yield* transaction(
      Effect.gen(function* () {
        yield* AlertStore.becomeSender(desk.process)
        const now = Date.now()
        const rules = messageRules(yield* AlertStore.rules, second)
        for (const incident of yield* AlertStore.unsettled) yield* recordChange(calmed(incident, rules, now))
        const due = plan(yield* AlertStore.unsettled, rules, yield* AlertStore.quiet, now)
        for (const incident of due.settled) yield* AlertStore.save(incident)
        for (const one of due.messages) {
          const message = messageOf(one, now, false)
          for (const incident of one.incidents) yield* AlertStore.save(incident)
          yield* MessageStore.add(message, deliveriesOf(message, desk.targets()))
        }
        yield* sendJobs
        return room > 0 ? yield* MessageStore.claim(desk.process, room, [...desk.inFlight]) : []
      })
    )
  })

/** Hands deliveries to the daemons that make notifications and alarms, in the surrounding transaction. */
const sendJobs = Effect.gen(function* () {
  const { settings } = yield* AlertDesk
  const jobs = yield* Jobs
  for (const due of yield* MessageStore.unfinished(false, MessageStore.mostInFlight)) {
    const { content, createdAt, group, id, kind } = due.message
    if (due.way === "app") {
      const said = (language: LanguageCode) => {
        const { body, subject } = textOf(kind, group, content, language, false)
        return { title: subject.slice(0, 255).toWellFormed(), body }
      }
      yield* jobs.send(NotificationWanted, [
        {
          key: id,
          data: {
            key: `watchdog:${id}`,
            to: { tenant_admins: providerTenant },
            content: {
              type: `monitoring.alert.${kind}`,
              category: "system",
              severity:
                kind === "recovered"
                  ? "success"
                  : kind === "test"
                    ? "info"
                    : content.severity === "critical"
                      ? "error"
                      : "warning",
              ...said(settings.language),
              data: { message_id: id, group }
            },
            words: inEveryLanguage(said),
            times: kind === "test" ? [] : timesOf(content)
          }
        }
      ])
    } else if (settings.alarmSubject !== undefined) {
      const { body, subject } = textOf(kind, group, content, settings.language, false)
      yield* jobs.send(AlarmTrigger, [
        {
          key: id,
          data: {
            trigger_key: `watchdog:${id}`,
            event_type: alarmReceived,
            payload: {
              email_subject: settings.alarmSubject,
              email_body: `${subject}\n\n${body}`,
              email_from: `watchdog@${hostname()}`
            },
            source: { kind: "operator" },
            tenant_id: providerTenant,
            received_at: new Date(createdAt).toISOString(),
            operator: true
          }
        }
      ])
    }
    yield* MessageStore.record(due, { state: "sent" }, Date.now())
    yield* countAttempt(due.way, "sent")
  }
})

export const messageSender = {
  name: "alert messages",
  placed: true,
  backoff: Backoff.polite,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const desk = yield* AlertDesk
    const wakeup = yield* (yield* Wake).subscribe(alertTopic)
    const { second } = desk.settings
    while (true) {
      yield* actor.progress
      const claims = yield* databaseRound(MessageStore.mostInFlight - desk.inFlight.size)
      desk.facts.acting = true
      for (const { message, ...delivery } of claims) yield* desk.start(delivery, message)
      yield* actor.note(`${desk.inFlight.size} under way`)
      yield* wakeup.wait(Duration.millis(intervalOf(second)))
    }
  }).pipe(Effect.onInterrupt(() => giveBack))
}

/**
 * Returns claims that were committed when this actor was stopped, and of which no attempt began. Without it, the next
 * sender would take them for those of a dead process only after minutes.
 */
const giveBack = Effect.gen(function* () {
  const desk = yield* AlertDesk
  yield* MessageStore.giveBack(desk.process, [...desk.done()])
}).pipe(
  Effect.interruptible,
  Effect.timeout(handOver),
  Effect.catch((error) => Effect.logWarning(`claimed alerts are sent minutes late: ${error.message}`))
)

/** What Postgres has now. */
const look = Effect.gen(function* () {
  const desk = yield* AlertDesk
  return yield* transaction(
    Effect.gen(function* () {
      const snapshot: Snapshot = {
        rules: messageRules(yield* AlertStore.rules, desk.settings.second),
        quiet: yield* AlertStore.quiet,
        incidents: yield* AlertStore.unsettled,
        due: yield* MessageStore.unfinished(true, MessageStore.mostInFlight * 5),
        mailZone: yield* zoneOf(desk.settings.adminEmail)
      }
      return { snapshot, sender: yield* AlertStore.sender }
    })
  )
})

/** One round without Postgres: tells, and sends what is due. */
const awayRound = Effect.gen(function* () {
  const desk = yield* AlertDesk
  const { facts, settings } = desk
  const now = Date.now()
  facts.awaySince ??= now
  if (facts.acting && now - facts.awaySince >= awayAfter * settings.second) {
    yield* desk.reportWithoutDatabase(databaseReport(true, facts.awaySince))
  }
  const rules = facts.snapshot?.rules ?? messageRules(defaultRules, settings.second)
  yield* desk.change(
    planned(facts.outage, facts.snapshot, {
      acting: facts.acting,
      done: desk.done(),
      rules,
      targets: desk.targets(),
      now
    })
  )
  const room = Math.max(0, MessageStore.mostInFlight - desk.inFlight.size)
  for (const { delivery, message } of dueNow(facts.outage, desk.inFlight, now).slice(0, room)) {
    yield* desk.start({ ...delivery, attempts: delivery.attempts + 1 }, message)
  }
})

const words = shippedTexts("watchdog.database", {
  en: {
    summary: "The database does not answer the watchdog of {host}",
    detail: "Since {since}. See: signalbox health, systemctl status postgresql"
  },
  de: {
    summary: "Die Datenbank antwortet dem Watchdog von {host} nicht",
    detail: "Seit {since}. Siehe: signalbox health, systemctl status postgresql"
  }
})

const databaseReport = (failing: boolean, since: number) => ({
  key: databaseKey,
  group: hostname(),
  severity: "critical" as const,
  summary: words("en").summary({ host: hostname() }),
  summaryDe: words("de").summary({ host: hostname() }),
  detail: words("en").detail({ since: momentIn(new Date(since), "en", null) }),
  detailDe: words("de").detail({ since: momentIn(new Date(since), "de", null) }),
  failing,
  at: new Date()
})

export const outageSender = {
  name: "alerts without Postgres",
  backoff: Backoff.polite,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const desk = yield* AlertDesk
    const { facts, settings } = desk
    while (true) {
      yield* actor.progress
      const seen = yield* Effect.exit(Effect.timeout(look, patience))
      if (Exit.isFailure(seen)) yield* awayRound
      else {
        if (facts.awaySince !== undefined) {
          const back = [...facts.outage.incidents.values(), ...seen.value.snapshot.incidents]
          if (back.some(({ closedAt, key }) => key === databaseKey && closedAt === null)) {
            yield* desk.reportWithoutDatabase(databaseReport(false, facts.awaySince))
          }
        }
        facts.awaySince = undefined
        facts.snapshot = seen.value.snapshot
        facts.acting = facts.acting && seen.value.sender === desk.process
        for (const severity of severities) {
          const count = seen.value.snapshot.incidents.filter(
            (one) => one.closedAt === null && one.severity === severity
          )
          open.set({ severity }, count.length)
        }
        const { outage } = facts
        if (!isEmpty(outage) && desk.inFlight.size === 0) {
          yield* transaction(mergeOutage(outage, settings.alarmSubject !== undefined))
          // Reports and outcomes since then stay for the next round.
          if (facts.outage === outage) yield* desk.change(noOutage)
        }
      }
      yield* actor.note(facts.awaySince === undefined ? "Postgres answers" : "sends without Postgres")
      yield* desk.wait(intervalOf(settings.second))
    }
  })
}
