/**
 * Implementation of `up` and `run`: starts the suite, reports readiness to the terminal and to systemd, and stops the
 * suite in order.
 */
import { Console, Effect, Layer } from "effect"
import { resolve } from "node:path"
import { SystemdNotify } from "#protocols/systemd/SystemdNotify.ts"
import type { Daemon } from "../daemon/Daemon.ts"
import type { KnownDaemon } from "../daemon/KnownDaemons.ts"
import { Environment, settings } from "../config/Environment.ts"
import * as Greeting from "../daemon/Greeting.ts"
import { Progress } from "../daemon/Progress.ts"
import type { Gateway } from "../gateway/Gateway.ts"
import * as Log from "../log/Log.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
import { checkSettings, start } from "../daemon/Suite.ts"
import { forgetStart } from "../supervision/LoopDelay.ts"
import { collectAfterWork, collectStartGarbage } from "../supervision/StartGarbage.ts"
import * as Telemetry from "../log/Telemetry.ts"
import { endAtOnce, runsUntilStopped } from "./Ending.ts"
import { columns } from "./Output.ts"
import { unknownVariableLines } from "./SettingsCatalogue.ts"
import { startProgress } from "./StartProgress.ts"

export interface ServeOptions {
  readonly daemons: ReadonlyArray<Daemon>
  /** All daemons of the installation. */
  readonly fleet: ReadonlyArray<KnownDaemon>
  readonly gateway?: Gateway
  readonly json: boolean
}

export type Addresses = ReadonlyMap<string, { readonly host: string; readonly port: number }>

/** Runs until the process is told to stop, or until an actor exceeds its restart limit. */
export const serve = (options: ServeOptions) =>
  Effect.gen(function* () {
    yield* runsUntilStopped
    // Reports the configuration errors of all daemons together, before anything is opened.
    yield* checkSettings(options.daemons)
    const config = yield* settings(platformSettings)
    const unknown = unknownVariableLines(Object.keys(yield* Environment), options.fleet)
    const progress = options.json ? undefined : startProgress(process.stderr)
    const service = options.daemons.length === 1 ? options.daemons[0]!.name : "signalbox"
    const body = Effect.gen(function* () {
      const notify = yield* SystemdNotify
      yield* Effect.ignore(notify.status("starting"))
      yield* Effect.forEach(unknown, (line) => Effect.logWarning(line), { discard: true })
      const suite = yield* start({
        daemons: options.daemons,
        fleet: options.fleet,
        ...(options.gateway === undefined ? {} : { gateway: options.gateway })
      }).pipe(
        Effect.provideService(Progress, (text) => Effect.sync(() => progress?.show(text))),
        Effect.ensuring(Effect.sync(() => progress?.end()))
      )
      yield* collectStartGarbage
      yield* forgetStart
      const names = options.daemons.map((daemon) => daemon.name)
      const gateway = suite.addresses.get("gateway")
      // A daemon's greeting may create what it describes, so it runs only when it will be printed.
      const greetings = options.json
        ? []
        : yield* Effect.forEach(names, (name) => {
            const own = suite.addresses.get(name)
            const address = own ?? gateway
            const daemon = suite.daemon(name)
            return address === undefined || daemon === undefined
              ? Effect.succeed([])
              : daemon.greeting({ base: url(address), gateway: own === undefined })
          })
      const lines = readyLines(suite.addresses, names, greetings.flat(), resolve(config.dataDir))
      if (options.json) yield* Console.log(JSON.stringify(readyJson(suite.addresses)))
      else for (const line of lines) yield* Console.log(line)
      yield* Effect.ignore(notify.status(lines[0]!))
      yield* Effect.ignore(notify.ready)
      return yield* Effect.raceFirst(Effect.tapErrorTag(suite.broken, "DataDirectoryGone", endAtOnce), collectAfterWork)
    })
    const told = Effect.flatMap(SystemdNotify, (notify) =>
      Effect.andThen(Effect.ignore(notify.stopping), Effect.ignore(notify.status("stopping")))
    )
    yield* Effect.scoped(Effect.ensuring(body, told)).pipe(
      Effect.provide(
        Layer.mergeAll(
          SystemdNotify.layer,
          Log.layer({ service, level: config.level, format: config.format }),
          Telemetry.layer(service, config.collector)
        )
      )
    )
  })

/** Lines printed when every daemon is ready. The first has the address that everything else is below. Pure. */
export const readyLines = (
  addresses: Addresses,
  names: ReadonlyArray<string>,
  greetings: ReadonlyArray<Greeting.Line>,
  dataDir: string
): ReadonlyArray<string> => {
  const gateway = addresses.get("gateway")
  const own = names.flatMap((name) => {
    const address = addresses.get(name)
    return address === undefined ? [] : [`${name} ${url(address)}`]
  })
  const labelled = [
    ...greetings
      .toSorted((a, b) => Greeting.kinds.indexOf(a.kind) - Greeting.kinds.indexOf(b.kind))
      .map(({ kind, text }) => [`${kind}:`, text] as const),
    ["data directory:", dataDir] as const,
    ...(gateway === undefined ? [] : [["try:", "bin/signalbox alarm send --demo"] as const])
  ]
  return [gateway === undefined ? `ready ${own.join(", ")}` : `ready ${url(gateway)}`, ...columns(labelled)]
}

/** The JSON form of `readyLines`. Pure. */
export const readyJson = (addresses: Addresses) => ({
  ready: true,
  addresses: Object.fromEntries(Array.from(addresses, ([name, address]) => [name, url(address)]))
})

/** Local URL of a listener. An address bound to all interfaces is shown as the loopback address. */
const url = ({ host, port }: { readonly host: string; readonly port: number }) => {
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`
}
