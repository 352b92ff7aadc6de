// A real Knot, authoritative for some zones, on its own loopback address.

import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect, type Scope } from "effect"
import { requirePeer } from "../peers/install.ts"
import { scratchFolder } from "../peers/Loopback.ts"
import { PeerError } from "../peers/PeerError.ts"
import * as ServerProcess from "../peers/ServerProcess.ts"
import { answers } from "./Ready.ts"
import { zoneText } from "./Zone.ts"

export interface ZoneOptions {
  readonly lines: ReadonlyArray<string>
  /** Whether Knot signs the zone, with keys that it generates. */
  readonly signed?: boolean
}

export interface Knot extends ServerProcess.ServerProcess {
  readonly address: string
  readonly port: number
  /** Replaces the lines of a zone. */
  readonly write: (zone: string, lines: ReadonlyArray<string>) => Effect.Effect<void>
  /** DS record data of a signed zone, for its parent zone. */
  readonly ds: (zone: string) => Effect.Effect<ReadonlyArray<string>>
}

/** Starts a Knot until the end of the scope. `zones`: by name; the empty name is the root. */
export const make = Effect.fnUntraced(function* (options: {
  readonly address: string
  readonly port?: number
  readonly zones: Readonly<Record<string, ZoneOptions>>
}): Effect.fn.Return<Knot, PeerError, Scope.Scope> {
  const found = requirePeer("knot")
  if (!found.available) return yield* new PeerError({ peer: "knot", reason: "NotInstalled", message: found.reason })
  const folder = yield* scratchFolder("knot")
  const port = options.port ?? 53
  const config = join(folder, "knot.conf")
  let serial = 1
  const file = (zone: string) => join(folder, `${zone === "" ? "root" : zone}.zone`)
  for (const [zone, { lines }] of Object.entries(options.zones))
    writeFileSync(file(zone), zoneText(zone, lines, serial))
  writeFileSync(config, configuration(folder, options.address, port, options.zones, file))
  const run = (program: string, args: ReadonlyArray<string>) =>
    Effect.promise(() => promisify(execFile)(program, ["-c", config, ...args]))
  const server = yield* ServerProcess.make({
    peer: "knot",
    command: found.path,
    args: ["-c", config],
    cwd: folder,
    isReady: () => answers(options.address, port, Object.keys(options.zones)[0] ?? ""),
    log: () => ""
  })
  return {
    ...server,
    address: options.address,
    port,
    write: (zone, lines) =>
      Effect.suspend(() => {
        writeFileSync(file(zone), zoneText(zone, lines, ++serial))
        return Effect.asVoid(run("knotc", ["-b", "-s", join(folder, "knot.sock"), "zone-reload", `${zone}.`]))
      }),
    ds: (zone) =>
      Effect.map(run("keymgr", [`${zone}.`, "ds"]), ({ stdout }) =>
        stdout
          .trim()
          .split("\n")
          .map((line) => line.replace(/^\S+ DS /, ""))
          .filter((data) => / 2 [0-9a-f]{64}$/i.test(data))
      )
  }
})

const configuration = (
  folder: string,
  address: string,
  port: number,
  zones: Readonly<Record<string, ZoneOptions>>,
  file: (zone: string) => string
): string =>
  [
    "server:",
    `    rundir: ${folder}`,
    `    listen: ${address}@${port}`,
    "    udp-workers: 1",
    "    tcp-workers: 1",
    "    background-workers: 1",
    "database:",
    `    storage: ${folder}`,
    "control:",
    `    listen: ${join(folder, "knot.sock")}`,
    "log:",
    "  - target: stderr",
    "    any: warning",
    "template:",
    "  - id: default",
    `    storage: ${folder}`,
    "    zonefile-sync: -1",
    "    zonefile-load: difference-no-serial",
    "    journal-content: all",
    "    semantic-checks: off",
    "zone:",
    ...Object.entries(zones).flatMap(([zone, { signed }]) => [
      `  - domain: ${zone === "" ? "." : `${zone}.`}`,
      `    file: ${file(zone)}`,
      ...(signed === true ? ["    dnssec-signing: on"] : [])
    ]),
    ""
  ].join("\n")
