/** Implements `signalbox service …`. Reads the sources of this machine directly; the daemon restarts. */
import { Console, Duration, Effect, Layer, Option, Stream } from "effect"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { members } from "#core/cli/Fleet.ts"
import { colour, type Colour, columns, print, table } from "#core/cli/Output.ts"
import { withStorage } from "#core/cli/Storage.ts"
import { settings } from "#core/config/Environment.ts"
import { KnownDaemons } from "#core/daemon/KnownDaemons.ts"
import * as Wake from "#core/events/Wake.ts"
import * as Audit from "#core/log/Audit.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import { transaction } from "#core/sql/Sql.ts"
import { watchdog } from "../Daemon.ts"
import * as CriticalStore from "./CriticalStore.ts"
import { maxLines, maxReason } from "./Limits.ts"
import { lastLines } from "./LogAnswer.ts"
import { topic } from "./RequestedRestarts.ts"
import * as RestartStore from "./RestartStore.ts"
import { layer, ServiceRuntime } from "./ServiceRuntime.ts"
import { restartableVariable, serviceSettings } from "./Settings.ts"
import type { Kind } from "./ServiceName.ts"
import type { Line, Snapshot } from "./Snapshot.ts"
import type { SourceError } from "./SourceError.ts"

interface Named {
  readonly name: string
  readonly json: boolean
}

/** Time after the patience of a restart until the command stops waiting. Reason: systemd itself may take 3 minutes. */
const restartWait = Duration.minutes(4)

const colours: Readonly<Record<Snapshot["state"], Colour>> = {
  running: "green",
  starting: "yellow",
  stopped: "dim",
  failed: "red",
  unknown: "yellow"
}

const withRuntime = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  Effect.provide(use, Layer.provide(layer, Layer.effect(KnownDaemons, members)))

const parsed = Effect.fnUntraced(function* (name: string) {
  const runtime = yield* ServiceRuntime
  const service = runtime.parse(name)
  return service === undefined ? yield* fail("no service can have this name", exitUsage) : service
})

const told = <A, R>(effect: Effect.Effect<A, SourceError, R>) => Effect.mapError(effect, (error) => fail(error.message))

const viewOf = (runtime: ServiceRuntime["Service"], one: Snapshot) => ({
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

/** As the list of the API. */
const order: ReadonlyArray<Kind> = ["daemon", "unit", "container"]

interface ListFlags {
  readonly kind: Option.Option<Kind>
  readonly state: Option.Option<Snapshot["state"]>
  readonly search: Option.Option<string>
  readonly json: boolean
}

export const list = ({ json, kind, search, state }: ListFlags) =>
  withRuntime(
    Effect.gen(function* () {
      const runtime = yield* ServiceRuntime
      const { services, sources } = yield* runtime.list
      const part = Option.getOrElse(search, () => "").toLowerCase()
      const items = services
        .map((one) => viewOf(runtime, one))
        .filter(
          (one) =>
            (Option.isNone(kind) || one.kind === kind.value) &&
            (Option.isNone(state) || one.state === state.value) &&
            one.name.toLowerCase().includes(part)
        )
        .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || (a.name < b.name ? -1 : 1))
      yield* print(json, { items, sources }, () => [
        ...table("No matching services.", [
          ["name", "kind", "state", "health", "status", "may restart"],
          ...items.map((one) => [
            one.name,
            one.kind,
            colour(colours[one.state], one.state),
            one.health,
            one.status,
            one.critical ? "critical" : one.may_restart ? "yes" : "no"
          ])
        ]),
        ...sources.flatMap(({ detail, kind, status }) => (status === "ok" ? [] : [`no ${kind}s: ${detail ?? status}`]))
      ])
    })
  )

export const show = ({ json, name }: Named) =>
  withRuntime(
    Effect.gen(function* () {
      const runtime = yield* ServiceRuntime
      const service = yield* parsed(name)
      const one = yield* told(runtime.find(service))
      const { keeper, restarts } = yield* stored(
        Effect.all({ keeper: CriticalStore.read(), restarts: RestartStore.recent(service) })
      )
      const value = {
        ...viewOf(runtime, one),
        exit_code: one.exitCode,
        oom_killed: one.oomKilled,
        pid: one.pid,
        memory_bytes: one.memory,
        has_log: runtime.hasLog(service),
        problems: one.problems,
        gave_up: (keeper.get(runtime.format(one))?.gaveUpAt ?? null) !== null,
        recent_restarts: restarts.map((one) => RestartStore.viewOf(runtime.format, one))
      }
      yield* print(json, value, () => [
        ...columns(
          Object.entries(value).flatMap(([key, shown]) =>
            Array.isArray(shown) || shown === null || shown === "" ? [] : [[key, String(shown)]]
          )
        ),
        ...value.problems,
        ...value.recent_restarts.map(
          ({ problem, requested_at, requested_by, state }) =>
            `restart ${requested_at} by ${requested_by}: ${state}${problem === null ? "" : `, ${problem}`}`
        )
      ])
    })
  )

interface LogFlags extends Named {
  readonly lines: number
  readonly follow: boolean
}

export const logs = ({ follow, json, lines, name }: LogFlags) =>
  withRuntime(
    Effect.gen(function* () {
      if (lines < 1 || lines > maxLines) return yield* fail(`--lines must be from 1 to ${maxLines}`, exitUsage)
      const runtime = yield* ServiceRuntime
      const service = yield* parsed(name)
      const shown = (line: Line) =>
        Console.log(json ? JSON.stringify(line) : `${line.at ?? ""} ${line.text}${line.cut ? " …" : ""}`.trim())
      if (!follow) {
        const { items, truncated } = yield* told(lastLines(service, lines))
        if (truncated) yield* Console.error("Earlier lines are left out, because the log is too large.")
        return yield* Effect.forEach(items, shown, { discard: true })
      }
      yield* told(
        Effect.scoped(
          Effect.flatMap(runtime.logs(service, { lines, follow: true }), (stream) => Stream.runForEach(stream, shown))
        )
      )
    })
  )

interface RestartFlags extends Named {
  readonly reason: Option.Option<string>
}

export const restart = ({ json, name, reason }: RestartFlags) =>
  withRuntime(
    Effect.gen(function* () {
      const runtime = yield* ServiceRuntime
      const service = yield* parsed(name)
      const shown = runtime.format(service)
      if (!runtime.mayRestart(service)) return yield* fail(`${shown} may not be restarted: ${restartableVariable}`)
      const { restartPatience } = yield* settings(serviceSettings)
      const because = Option.getOrUndefined(reason)?.slice(0, maxReason)
      const request = transaction(
        Effect.gen(function* () {
          const made = yield* RestartStore.request(service, { actor: Audit.operator, reason: because })
          if (made.isNew) {
            yield* Audit.write({
              tenantId: providerTenant,
              actor: Audit.operator,
              action: "service.restart_requested",
              entity: "service",
              id: shown,
              detail: { reason: because ?? null }
            })
            yield* (yield* Wake.Wake).announce(topic)
          }
          return made.restart
        })
      )
      const ended = yield* stored(
        Effect.provide(
          Effect.flatMap(request, ({ id }) =>
            finished(id, Duration.sum(restartWait, Duration.seconds(restartPatience)))
          ),
          Wake.layer
        )
      )
      yield* print(json, RestartStore.viewOf(runtime.format, ended), ({ problem, state }) => [
        `${shown}: ${state}${problem === null ? "" : `, ${problem}`}`
      ])
      if (ended.state !== "succeeded") return yield* fail(`${shown} was not restarted`)
    })
  )

/** Waits until the daemon has restarted the service. */
const finished = Effect.fnUntraced(function* (id: number, wait: Duration.Duration) {
  const until = Date.now() + Duration.toMillis(wait)
  while (true) {
    const found = yield* RestartStore.one(id)
    if (found === undefined || found.finished_at !== null) return found!
    if (Date.now() > until) return yield* fail(`the daemon watchdog has not restarted it (request ${id})`)
    yield* Effect.sleep(Duration.millis(500))
  }
})

const stored = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  withStorage(Effect.andThen(Migrations.run(watchdog.migrations), use))
