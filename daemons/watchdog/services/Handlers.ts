import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { Caller, nameOf, tenantOf } from "#core/auth/Caller.ts"
import { client } from "#core/http/Client.ts"
import * as Handlers from "#core/http/Handlers.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import * as Audit from "#core/log/Audit.ts"
import { Wake } from "#core/events/Wake.ts"
import { offeredLanguageFor } from "#core/words/InLanguage.ts"
import { sentenceIn } from "#core/words/Sentences.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { asPlatform, transaction } from "#core/sql/Sql.ts"
import { RestartView, ServicesApi } from "./Api.ts"
import { CriticalKeeper } from "./CriticalKeeper.ts"
import { NoLog, NotRestartable, SourceUnavailable, TooManyFollowers } from "./Errors.ts"
import { followed, lastLines } from "./LogAnswer.ts"
import { defaultLines, maxFollowers } from "./Limits.ts"
import { topic } from "./RequestedRestarts.ts"
import * as RestartStore from "./RestartStore.ts"
import type { Kind, ServiceName } from "./ServiceName.ts"
import { ServiceRuntime } from "./ServiceRuntime.ts"
import { criticalVariable, restartableVariable } from "./Settings.ts"
import type { Snapshot } from "./Snapshot.ts"
import type { SourceError } from "./SourceError.ts"

/** What a source reports, in the reader's language. */
const said = (language: LanguageCode, text: string): string => sentenceIn(language, text) ?? text

const kinds: ReadonlyArray<Kind> = ["daemon", "unit", "container"]

export const services = Handlers.group(
  ServicesApi,
  "systemServices",
  Effect.fn(function* (handlers) {
    const runtime = yield* ServiceRuntime
    const keeper = yield* CriticalKeeper
    let followers = 0

    const named = (text: string) => {
      const service = runtime.parse(text)
      return service === undefined ? Effect.fail(unknown) : Effect.succeed(service)
    }

    const view = (one: Snapshot) => ({
      name: runtime.format(one),
      kind: one.kind,
      state: one.state,
      health: one.health,
      status: one.status,
      description: one.description,
      started_at: one.startedAt?.toISOString() ?? null,
      restarts: one.restarts,
      may_restart: runtime.mayRestart(one),
      critical: runtime.isCritical(one)
    })

    /** An entry for each access to a log, which may hold personal data. */
    const audited = (service: ServiceName, action: string, detail: Audit.Entry["detail"] = {}) =>
      Effect.gen(function* () {
        const { address } = yield* client
        yield* Audit.writeFor({
          tenantId: tenantOf(yield* Caller),
          address,
          action: `service.${action}`,
          entity: "service",
          id: runtime.format(service),
          detail
        })
      })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, kind, limit = defaultPage, search, state } }) {
        const { services: all, sources } = yield* runtime.list
        const language = yield* offeredLanguageFor(undefined)
        const rows = all
          .map((one) => ({ one, name: runtime.format(one) }))
          .filter(
            ({ name, one }) =>
              (kind === undefined || one.kind === kind) &&
              (state === undefined || one.state === state) &&
              (search === undefined || name.toLowerCase().includes(search.toLowerCase()))
          )
          .toSorted((a, b) => kinds.indexOf(a.one.kind) - kinds.indexOf(b.one.kind) || (a.name < b.name ? -1 : 1))
        const last = before === undefined ? undefined : runtime.parse(before)
        const from =
          last === undefined
            ? 0
            : rows.findIndex(
                ({ name, one }) =>
                  kinds.indexOf(one.kind) > kinds.indexOf(last.kind) || (one.kind === last.kind && name > before!)
              )
        const page = from === -1 ? [] : rows.slice(from, from + limit)
        return {
          items: page.map(({ one }) => view(one)),
          next_before: from !== -1 && rows.length > from + limit ? page.at(-1)!.name : null,
          sources: sources.map((source) =>
            source.detail === null ? source : { ...source, detail: said(language, source.detail) }
          )
        }
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        const service = yield* named(params.name)
        const one = yield* found(service, runtime.find(service))
        const language = yield* offeredLanguageFor(undefined)
        return {
          ...view(one),
          exit_code: one.exitCode,
          oom_killed: one.oomKilled,
          pid: one.pid,
          memory_bytes: one.memory,
          has_log: runtime.hasLog(service),
          problems: one.problems.map((problem) => said(language, problem)),
          gave_up: keeper.gaveUp(runtime.format(service)),
          recent_restarts: (yield* orUnavailable(RestartStore.recent(service))).map((one) =>
            RestartStore.viewOf(runtime.format, one)
          )
        }
      }),
      restart: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const service = yield* named(params.name)
        if (!runtime.mayRestart(service)) return yield* notRestartable(runtime.format(service))
        const actor = nameOf(yield* Caller)
        const create = Effect.gen(function* () {
          const { isNew, restart } = yield* RestartStore.request(service, { actor, reason: payload?.reason })
          if (isNew) {
            yield* audited(service, "restart_requested", { reason: payload?.reason ?? null })
            yield* (yield* Wake).announce(topic)
          }
          return RestartStore.viewOf(runtime.format, restart)
        })
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "services.restart",
            body: { name: runtime.format(service), ...payload },
            response: RestartView,
            // A user's transaction has the role of the tenant, which has no rights on these tables.
            create: asPlatform(create)
          })
        )
      }),
      logs: Effect.fnUntraced(function* ({ params, query: { lines = defaultLines } }) {
        const service = yield* named(params.name)
        yield* orUnavailable(transaction(audited(service, "log_read", { lines })))
        return yield* logged(service, lastLines(service, lines))
      }),
      follow: Effect.fnUntraced(function* ({ params, query: { lines = 0 } }) {
        const service = yield* named(params.name)
        if (followers >= maxFollowers)
          return yield* new TooManyFollowers({ detail: `At most ${maxFollowers} logs can be followed at once.` })
        yield* orUnavailable(transaction(audited(service, "log_followed", { lines })))
        const events = yield* logged(service, followed(service, lines))
        followers += 1
        return HttpServerResponse.stream(
          Stream.ensuring(
            events,
            Effect.sync(() => (followers -= 1))
          ),
          {
            contentType: "text/event-stream",
            // nginx would hold lines back until a buffer is full.
            headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
          }
        )
      })
    })
  })
)

const unknown = new NotFound({ detail: "No service has this name." })

const notRestartable = (name: string) =>
  new NotRestartable({
    detail: `${name} may not be restarted: add it to ${restartableVariable}.`,
    settings: [restartableVariable, criticalVariable]
  })

/** Failures of a source as problems. */
const found = <A, R>({ kind }: ServiceName, effect: Effect.Effect<A, SourceError, R>) =>
  Effect.mapError(effect, (error) =>
    error.reason._tag === "NoSuchService" ? unknown : new SourceUnavailable({ source: kind, detail: error.message })
  )

/** The same for logs, which may be there and not readable. */
const logged = <A, R>(service: ServiceName, effect: Effect.Effect<A, SourceError, R>) =>
  effect.pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "NoLog" || reason._tag === "NotListed",
      (error) => Effect.fail(new NoLog({ detail: error.message }))
    ),
    Effect.catchTag("SourceError", (error) => found(service, Effect.fail(error)))
  )
