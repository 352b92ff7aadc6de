/**
 * `signalbox routes`: shows which daemon serves which path; also prints reverse-proxy configuration for daemons in
 * separate processes.
 */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { settings } from "../config/Environment.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
import { exitUsage, fail } from "./Ending.ts"
import { all } from "./Fleet.ts"
import { json } from "./Output.ts"

const as = (name: string, title: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(`Print the configuration of ${title}`), Flag.withDefault(false))

export const routes = Command.make(
  "routes",
  { nginx: as("nginx", "nginx"), caddy: as("caddy", "Caddy"), traefik: as("traefik", "Traefik"), json },
  Effect.fnUntraced(function* (flags) {
    const chosen = Object.entries(flags)
      .filter(([, set]) => set)
      .map(([name]) => name)
    if (chosen.length > 1)
      return yield* fail(`choose one of ${chosen.map((name) => `--${name}`).join(" and ")}`, exitUsage)
    const daemons = yield* all
    const [{ ports }, { gatewaySettings }, printers] = yield* Effect.promise(() =>
      Promise.all([import("../daemon/Suite.ts"), import("../gateway/GatewaySettings.ts"), import("./RoutePrinters.ts")])
    )
    const configured: Readonly<Record<string, number>> = yield* settings(ports(daemons))
    const options = yield* settings({
      ...gatewaySettings,
      gatewayPort: platformSettings.gatewayPort,
      networkDir: platformSettings.networkDir
    })
    const table = printers.rows(daemons, (daemon) => configured[daemon.name] ?? daemon.port)
    const printer = printers.printers[chosen[0] as keyof typeof printers.printers] ?? printers.text
    yield* Console.log(printer(table, options).trimEnd())
  })
).pipe(
  Command.withDescription(
    "Prints which daemon answers which path. The gateway of `up` uses the same table. " +
      "For daemons in separate processes, prints the configuration of a reverse proxy."
  ),
  Command.withShortDescription("Print the route table or a reverse proxy configuration"),
  Command.withExamples([
    {
      command: "signalbox routes --nginx > /etc/nginx/conf.d/signalbox.conf",
      description: "Daemons in separate processes behind nginx"
    }
  ])
)
