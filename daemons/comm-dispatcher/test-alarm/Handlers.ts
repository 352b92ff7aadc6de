import { Effect, Exit, Result, Scope } from "effect"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { Caller, nameOf, providerTenant } from "#core/auth/Caller.ts"
import { alarmReceived, AlarmTrigger } from "#core/contracts/Alarm.ts"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import { client } from "#core/http/Client.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { InvalidRequest, orUnavailable, Unavailable } from "#core/http/Problem.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import * as Audit from "#core/log/Audit.ts"
import * as SetupSteps from "#core/setup/SetupSteps.ts"
import { transaction } from "#core/sql/Sql.ts"
import { inEveryLanguage } from "#core/words/ChooseLanguage.ts"
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import { openSink, parseSubject, type Sink, subjectSentence } from "../alarms/Exports.ts"
import { runIdOf } from "../runs/Exports.ts"
import { storablePayload } from "../vocabulary/Exports.ts"
import { type TestAlarm, TestAlarmApi } from "./Api.ts"

/** How long a receiver waits for the alarm. Unit: seconds. Reason: far above the usual 20 ms, also under load. */
const sinkSeconds = 60

/** How long a receiver stays open after the alarm has arrived: an alarm may come twice. Unit: seconds. */
const lingerSeconds = 2

/** Interval of looks at the receiver. Unit: milliseconds. */
const look = 50

/** Maximum number of open receivers of one process. Reason: each is a listening socket. */
const maxSinks = 10

/** Subject of the alarm. Pure. */
export const subjectOf = ({ retries, targets = [] }: typeof TestAlarm.Type, sinkUrl: string): string =>
  [
    `INFO:WEBHOOK+${sinkUrl}`,
    ...targets.map(({ channel, target }) => `${channel}+${target.trim()}`),
    ...(retries === undefined ? [] : [`RETRY:${retries.times}x${retries.every}m`])
  ].join(";")

/** The notification of the caller, and the text of an alarm that has none. */
const arrivedWords = shippedTexts("comm-dispatcher.test-alarm", {
  en: {
    title: "The test alarm has arrived",
    body: "It was taken, stored and delivered. Alarms work.",
    text: "A test. Nothing happened."
  },
  de: {
    title: "Der Testalarm ist angekommen",
    body: "Er wurde angenommen, gespeichert und zugestellt. Alarme funktionieren.",
    text: "Ein Test. Es ist nichts passiert."
  }
})

/** The text in both languages. Reason: its readers are not known. */
const usualText = (): string => `${arrivedWords("en").text} / ${arrivedWords("de").text}`

export const testAlarm = Handlers.group(
  TestAlarmApi,
  "test-alarm",
  Effect.fn(function* (handlers) {
    const jobs = yield* Jobs
    const scope = yield* Effect.scope
    let open = 0

    /** Waits for the alarm; then marks the set-up step and notifies the caller. */
    const receive = (runId: string, sink: Sink, by: { readonly name: string; readonly userId: number | undefined }) =>
      Effect.gen(function* () {
        const arrives = Effect.gen(function* () {
          while (!sink.arrived().some(({ run_id }) => run_id === runId)) yield* Effect.sleep(look)
          return true
        })
        const arrived = yield* Effect.timeoutOption(arrives, `${sinkSeconds} seconds`)
        if (arrived._tag === "None") return
        yield* transaction(
          Effect.gen(function* () {
            yield* SetupSteps.mark(SetupSteps.testAlarmStep, "done", by.name)
            if (by.userId === undefined) return
            const content = {
              type: "alarm.tested",
              category: "system",
              severity: "success" as const,
              title: arrivedWords("en").title,
              body: arrivedWords("en").body,
              entity_type: "run",
              entity_id: runId,
              action_url: `/console/alarms/${runId}`
            }
            const words = inEveryLanguage((language) => {
              const { body, title } = arrivedWords(language)
              return { title, body }
            })
            const data = { key: `alarm.tested:${runId}`, to: { user_id: by.userId }, content, words }
            yield* jobs.send(NotificationWanted, [{ data, key: data.key }])
          })
        )
        yield* Effect.sleep(`${lingerSeconds} seconds`)
      })

    return handlers.handleAll({
      send: Effect.fnUntraced(function* ({ payload }) {
        const caller = yield* Caller
        const { address } = yield* client
        if (open >= maxSinks) return yield* new Unavailable({ detail: "Too many test alarms are under way." })
        open += 1
        const inner = yield* Scope.fork(scope)
        const close = (exit: Parameters<typeof Scope.close>[1]) =>
          Effect.andThen(
            Effect.sync(() => (open -= 1)),
            Scope.close(inner, exit)
          )
        return yield* Effect.gen(function* () {
          const sink = yield* Scope.provide(openSink, inner)
          const subject = subjectOf(payload, sink.url)
          const parsed = parseSubject(subject)
          if (Result.isFailure(parsed))
            return yield* new InvalidRequest({
              errors: [{ field: "payload.targets", message: subjectSentence(parsed.failure.reason) }]
            })
          const triggerKey = `test ${randomUUID()}`
          const runId = runIdOf(triggerKey)
          const by = { name: nameOf(caller), userId: caller.kind === "user" ? caller.userId : undefined }
          yield* orUnavailable(
            transaction(
              Effect.gen(function* () {
                yield* Audit.write({
                  tenantId: providerTenant,
                  actor: by.name,
                  action: "alarm.tested",
                  entity: "run",
                  id: runId,
                  address
                })
                yield* jobs.send(AlarmTrigger, [
                  {
                    key: triggerKey,
                    data: {
                      trigger_key: triggerKey,
                      event_type: alarmReceived,
                      payload: storablePayload({
                        email_subject: subject,
                        email_body: payload.text ?? usualText(),
                        email_from: `test@${hostname()}`
                      }),
                      source: { kind: "operator" },
                      tenant_id: providerTenant,
                      received_at: new Date().toISOString(),
                      operator: true,
                      admit: sink.host
                    }
                  }
                ])
              })
            )
          )
          yield* Effect.forkIn(Effect.onExit(Effect.ignore(receive(runId, sink, by)), close), scope)
          return { run_id: runId, subject: subject.replace(sink.url, "(this daemon)") }
        }).pipe(Effect.tapCause(() => close(Exit.void)))
      })
    })
  })
)
