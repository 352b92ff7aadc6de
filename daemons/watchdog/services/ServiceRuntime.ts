/**
 * Containers, units and own daemons of this host in one picture. Reads and restarts them; keeps nothing. Audit and
 * permissions are up to the caller.
 */
import { Context, Effect, Layer, Result, type Scope, Stream } from "effect"
import { readFileSync } from "node:fs"
import { Environment, settings } from "#core/config/Environment.ts"
import type { ConfigInvalid } from "#core/config/Environment.ts"
import { KnownDaemons } from "#core/daemon/KnownDaemons.ts"
import * as Engine from "#protocols/container-engine/ContainerEngine.ts"
import type { ContainerEngineError } from "#protocols/container-engine/ContainerEngineError.ts"
import * as Containers from "./Containers.ts"
import * as OwnDaemons from "./OwnDaemons.ts"
import * as RootClient from "./RootClient.ts"
import { format, type Kind, parse, type ServiceName } from "./ServiceName.ts"
import { lists } from "./ServicePatterns.ts"
import { serviceSettings } from "./Settings.ts"
import type { Line, Snapshot } from "./Snapshot.ts"
import { sourceError, type SourceError } from "./SourceError.ts"
import * as UnitSource from "./UnitSource.ts"

export interface Source {
  readonly kind: Kind
  readonly status: "ok" | "down" | "unconfigured"
  readonly detail: string | null
}

export interface LogOptions {
  readonly lines: number
  readonly follow: boolean
}

export class ServiceRuntime extends Context.Service<
  ServiceRuntime,
  {
    /** All services of the sources that answer. */
    readonly list: Effect.Effect<{
      readonly services: ReadonlyArray<Snapshot>
      readonly sources: ReadonlyArray<Source>
    }>
    readonly find: (service: ServiceName) => Effect.Effect<Snapshot, SourceError>
    /** Lines oldest first. Ends with the log, or with the scope. */
    readonly logs: (
      service: ServiceName,
      options: LogOptions
    ) => Effect.Effect<Stream.Stream<Line, SourceError>, SourceError, Scope.Scope>
    /** Ends when the engine or systemd has started the service again. */
    readonly restart: (service: ServiceName) => Effect.Effect<void, SourceError>
    /** Whether people may restart it. */
    readonly mayRestart: (service: ServiceName) => boolean
    /** Whether the watchdog restarts it by itself. */
    readonly isCritical: (service: ServiceName) => boolean
    /** Whether its log can be read: the settings list the unit, and a daemon runs as a unit. */
    readonly hasLog: (service: ServiceName) => boolean
    /** Whether the restart ends this process. */
    readonly isSelf: (service: ServiceName) => boolean
    /** Undefined for a name that no service can have. */
    readonly parse: (text: string) => ServiceName | undefined
    readonly format: (service: ServiceName) => string
  }
>()("signalbox/watchdog/ServiceRuntime") {}

/** Unit of this process, from its control group. Undefined outside of systemd. */
const ownUnit = (): string | undefined => {
  try {
    return /\/(signalbox(?:@[a-z-]+)?\.service)(?:\/|$)/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1]
  } catch {
    return undefined
  }
}

export const layer: Layer.Layer<ServiceRuntime, ConfigInvalid, KnownDaemons> = Layer.effect(
  ServiceRuntime,
  Effect.gen(function* () {
    const config = yield* settings(serviceSettings)
    const environment = yield* Environment
    const known = yield* KnownDaemons
    const daemonNames = new Set(known.map(({ name }) => name))
    const units = UnitSource.make(config.rootSocket, config.units)
    const self = ownUnit()
    const critical = config.critical.map(({ name }) => name)
    const daemons = Effect.provideService(OwnDaemons.list(known), Environment, environment).pipe(
      Effect.catch((error) => Effect.fail(sourceError({ _tag: "Failed", detail: error.message })))
    )
    const containers = Effect.mapError(Containers.list(config.containerSocket), ofEngine)

    /** With one process for all daemons, a daemon is restarted with all others. */
    const unitOf = (daemon: string) => (self === "signalbox.service" ? self : `signalbox@${daemon}.service`)

    /** Unit with the log of a daemon. A command does not know the layout, so it looks which unit there is. */
    const unitOfDaemon = (daemon: string) =>
      Effect.firstSuccessOf(
        [unitOf(daemon), "signalbox.service"].map((unit) => Effect.as(units.find(unit), unit))
      ).pipe(
        Effect.mapError(() => sourceError({ _tag: "NoLog", detail: "This daemon does not run as a unit of systemd." }))
      )

    const restart = Effect.fnUntraced(function* ({ kind, name }: ServiceName) {
      if (kind === "unit") return yield* units.restart(name)
      if (kind === "daemon") return yield* units.restart(unitOf(name))
      if (RootClient.isInstalled(config.rootSocket))
        return yield* Effect.asVoid(RootClient.call(config.rootSocket, { verb: "restart_container", name }))
      return yield* Effect.mapError(Engine.restart(config.containerSocket, name), ofEngine)
    })

    const listed = (patterns: ReadonlyArray<string>, { kind, name }: ServiceName) =>
      lists(patterns, kind, name) || (kind === "daemon" && lists(patterns, "unit", unitOf(name)))

    return ServiceRuntime.of({
      list: Effect.map(
        Effect.all([asked("daemon", daemons), asked("unit", units.list), asked("container", containers)], {
          concurrency: "unbounded"
        }),
        (parts) => ({ services: parts.flatMap(({ services }) => services), sources: parts.map(({ source }) => source) })
      ),
      find: ({ kind, name }) =>
        kind === "unit"
          ? units.find(name)
          : kind === "container"
            ? Effect.mapError(Containers.find(config.containerSocket, name), ofEngine)
            : Effect.flatMap(daemons, (found) => {
                const one = found.find((daemon) => daemon.name === name)
                return one === undefined ? Effect.fail(sourceError({ _tag: "NoSuchService" })) : Effect.succeed(one)
              }),
      logs: ({ kind, name }, options) =>
        kind === "container"
          ? Effect.map(
              Effect.mapError(Containers.logs(config.containerSocket, name, options), ofEngine),
              Stream.mapError(ofEngine)
            )
          : Effect.flatMap(
              kind === "daemon" ? unitOfDaemon(name) : readable(units, config.units, restartables(config), name),
              (unit) => units.logs(unit, options)
            ),
      restart,
      // In one process with all daemons, a restart is one of all, so the list must name the common unit.
      mayRestart: (service) => {
        const names = [...config.restartable, ...critical]
        return service.kind === "daemon" && self === "signalbox.service"
          ? lists(names, "unit", self)
          : listed(names, service)
      },
      isCritical: (service) => listed(critical, service),
      hasLog: ({ kind, name }) =>
        kind === "container" ||
        (kind === "daemon"
          ? self !== undefined
          : lists(config.units, "unit", name) || lists(restartables(config), "unit", name)),
      isSelf: ({ kind, name }) =>
        (kind === "daemon" && (name === "watchdog" || self === "signalbox.service")) ||
        (kind === "unit" && name === self),
      parse: (text) => parse(text, daemonNames),
      format: (service) => format(service, daemonNames)
    })
  })
)

const restartables = ({
  critical,
  restartable
}: {
  critical: ReadonlyArray<{ name: string }>
  restartable: ReadonlyArray<string>
}) => [...restartable, ...critical.map(({ name }) => name)]

/** The unit, when its log may be read. A unit that does not exist has an empty log otherwise. */
const readable = (
  units: UnitSource.UnitSource,
  patterns: ReadonlyArray<string>,
  restartable: ReadonlyArray<string>,
  unit: string
): Effect.Effect<string, SourceError> =>
  lists(patterns, "unit", unit) || lists(restartable, "unit", unit)
    ? Effect.as(units.find(unit), unit)
    : Effect.fail(sourceError({ _tag: "NoLog", detail: "WATCHDOG_UNITS does not list this unit." }))

const asked = (kind: Kind, list: Effect.Effect<ReadonlyArray<Snapshot>, SourceError>) =>
  Effect.map(Effect.result(list), (found): { services: ReadonlyArray<Snapshot>; source: Source } =>
    Result.isSuccess(found)
      ? { services: found.success, source: { kind, status: "ok", detail: null } }
      : {
          services: [],
          source: {
            kind,
            status: found.failure.reason._tag === "Absent" ? "unconfigured" : "down",
            detail: found.failure.message
          }
        }
  )

const ofEngine = (error: ContainerEngineError): SourceError => {
  const { reason } = error
  if (reason._tag === "NoSuchContainer" || reason._tag === "BadName") return sourceError({ _tag: "NoSuchService" })
  if (reason._tag === "Unreachable" && reason.code === "ENOENT")
    return sourceError({ _tag: "Absent", what: "the container engine" })
  return reason._tag === "TimedOut"
    ? sourceError({ _tag: "TimedOut", what: "the container engine", milliseconds: reason.milliseconds })
    : sourceError({ _tag: "Failed", detail: error.message })
}
