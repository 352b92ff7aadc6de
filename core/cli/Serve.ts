/**
 * Implementation of `up` and `run`: starts the suite, reports readiness to the terminal and to systemd, and stops the
 * suite in order.
 */
import { Console, Effect, Layer } from "effect"
import { SystemdNotify } from "#protocols/systemd/SystemdNotify.ts"
import type { Daemon } from "../daemon/Daemon.ts"
import { settings } from "../config/Environment.ts"
import type { Gateway } from "../gateway/Gateway.ts"
import * as Log from "../log/Log.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
import { checkSettings, start } from "../daemon/Suite.ts"
import * as Telemetry from "../log/Telemetry.ts"
import { runsUntilStopped } from "./Ending.ts"

export interface ServeOptions {
  readonly daemons: ReadonlyArray<Daemon>
  readonly fleet: ReadonlyArray<Daemon>
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
    const service = options.daemons.length === 1 ? options.daemons[0]!.name : "signalbox"
    const body = Effect.gen(function* () {
      const notify = yield* SystemdNotify
      yield* Effect.ignore(notify.status("starting"))
      const suite = yield* start({
        daemons: options.daemons,
        fleet: options.fleet,
        ...(options.gateway === undefined ? {} : { gateway: options.gateway })
      })
      const names = options.daemons.map((daemon) => daemon.name)
      // A daemon's greeting may create what it describes, so it runs only when it will be printed.
      const greetings = options.json
        ? []
        : yield* Effect.forEach(names, (name) => {
            const address = suite.addresses.get(name) ?? suite.addresses.get("gateway")
            const daemon = suite.daemon(name)
            return address === undefined || daemon === undefined ? Effect.succeed([]) : daemon.greeting(url(address))
          })
      const lines = readyLines(suite.addresses, names, greetings.flat())
      if (options.json) yield* Console.log(JSON.stringify(readyJson(suite.addresses)))
      else for (const line of lines) yield* Console.log(line)
      yield* Effect.ignore(notify.status(lines[0]!))
      yield* Effect.ignore(notify.ready)
      return yield* suite.broken
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

/** Lines printed when every daemon is ready. Pure. */
export const readyLines = (
  addresses: Addresses,
  names: ReadonlyArray<string>,
  greetings: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const gateway = addresses.get("gateway")
  const own = names.flatMap((name) => {
    const address = addresses.get(name)
    return address === undefined ? [] : [`${name} ${url(address)}`]
  })
  if (gateway === undefined) return [`ready ${own.join(", ")}`, ...greetings]
  return [`ready ${url(gateway)}`, ...own, ...greetings, "try: npx signalbox alarm send --demo"]
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
