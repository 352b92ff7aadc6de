// A real CrowdSec for a test: its local API on a loopback port, with a configuration of its own, without hub, console
// and central API. Parsers and scenarios are those of config/crowdsec.

import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect, type Scope } from "effect"
import { runProgram } from "../RunProgram.ts"
import { requirePeer } from "./install.ts"
import { freePort, scratchFolder } from "./Loopback.ts"
import { PeerError } from "./PeerError.ts"
import * as ServerProcess from "./ServerProcess.ts"

/** Files that operators copy to /etc/crowdsec. */
export const shipped = join(import.meta.dirname, "../../../config/crowdsec")

/** Text of a shipped file. */
export const shippedText = (name: string): string => readFileSync(join(shipped, name), "utf8")

/** Parsers of Debian's package that it enables, and that the shipped ones need. */
const hub = "/usr/share/crowdsec/hub"
const enabled = ["parsers/s00-raw/syslog-logs.yaml", "parsers/s02-enrich/dateparse-enrich.yaml"]

export const bouncerKey = "bouncer-key-for-tests"
export const machine = "signalbox"
export const password = "machine-password-for-tests"

export interface CrowdSec extends ServerProcess.ServerProcess {
  readonly url: string
  /** Runs cscli; fails with its output unless it ends with 0. */
  readonly cscli: (...args: ReadonlyArray<string>) => Effect.Effect<string, PeerError>
  /** Variables of watchdog. */
  readonly env: Readonly<Record<string, string>>
}

const failed = (message: string) => new PeerError({ peer: "crowdsec", reason: "NotReady", message })

/** Folder with a configuration. `config`: file for `-c`. */
export const place = Effect.gen(function* () {
  const found = requirePeer("crowdsec")
  if (!found.available) return yield* new PeerError({ peer: "crowdsec", reason: "NotInstalled", message: found.reason })
  const port = yield* freePort
  const folder = yield* scratchFolder("crowdsec")
  for (const name of ["etc/notifications", "etc/plugins", "data", "hub"])
    mkdirSync(join(folder, name), { recursive: true })
  const patterns = ["/usr/share/crowdsec/config/patterns", "/etc/crowdsec/patterns"].find((path) => existsSync(path))!
  cpSync(patterns, join(folder, "etc/patterns"), { recursive: true })
  for (const name of ["parsers", "scenarios", "profiles.yaml.local"])
    cpSync(join(shipped, name), join(folder, "etc", name), { recursive: true })
  cpSync("/etc/crowdsec/profiles.yaml", join(folder, "etc/profiles.yaml"))
  for (const name of enabled) {
    mkdirSync(dirname(join(folder, "etc", name)), { recursive: true })
    cpSync(join(hub, name.replace(/\/([^/]*)$/, "/crowdsecurity/$1")), join(folder, "etc", name))
  }
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write("hub/.index.json", `{"collections":{},"parsers":{},"scenarios":{},"postoverflows":{}}`)
  write("etc/simulation.yaml", "simulation: false\n")
  write("etc/acquis.yaml", "")
  const config = join(folder, "etc/config.yaml")
  write(
    "etc/config.yaml",
    `common: { daemonize: false, log_media: stdout, log_level: info, working_dir: ${folder} }
config_paths:
  config_dir: ${folder}/etc
  data_dir: ${folder}/data
  simulation_path: ${folder}/etc/simulation.yaml
  hub_dir: ${folder}/hub
  index_path: ${folder}/hub/.index.json
  notification_dir: ${folder}/etc/notifications
  plugin_dir: ${folder}/etc/plugins
crowdsec_service: { acquisition_path: ${folder}/etc/acquis.yaml, parser_routines: 1 }
cscli: { output: json }
db_config: { log_level: warning, type: sqlite, db_path: ${folder}/data/crowdsec.db, use_wal: true }
api:
  client: { credentials_path: ${folder}/etc/credentials.yaml }
  server:
    log_level: warning
    listen_uri: 127.0.0.1:${port}
    profiles_path: ${folder}/etc/profiles.yaml
prometheus: { enabled: false }
`
  )
  const run = (program: string, args: ReadonlyArray<string>) =>
    Effect.flatMap(runProgram(program, ["-c", config, ...args]), ({ status, stderr, stdout }) =>
      status === 0
        ? Effect.succeed(stdout + stderr)
        : Effect.fail(failed(`${program} ${args.join(" ")}: ${stdout}${stderr}`))
    )
  const cscli = (...args: ReadonlyArray<string>) => run("cscli", args)
  yield* cscli(
    "machines",
    "add",
    machine,
    "--password",
    password,
    "-f",
    join(folder, "etc/credentials.yaml"),
    "--force"
  )
  return { folder, config, port, path: found.path, cscli, run }
})

/** Starts `crowdsec` and waits for its local API. */
const start = (
  {
    config,
    folder,
    path,
    port
  }: { readonly config: string; readonly folder: string; readonly path: string; readonly port: number },
  args: ReadonlyArray<string>
) =>
  ServerProcess.make({
    peer: "crowdsec",
    command: path,
    args: ["-c", config, ...args],
    cwd: folder,
    isReady: async () => {
      try {
        return (await fetch(`http://127.0.0.1:${port}/v1/decisions`)).status === 403
      } catch {
        return false
      }
    },
    log: () => ""
  })

/** A CrowdSec that reads logs: `<type>.log` in the folder, for each label. `server`: starts it. */
export const reading = (types: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const made = yield* place
    yield* made.cscli("bouncers", "add", "signalbox", "--key", bouncerKey)
    const sources = types.map((type) => {
      const path = join(made.folder, `${type}.log`)
      writeFileSync(path, "")
      return `filenames: [${path}]\nlabels: { type: ${type} }\n`
    })
    writeFileSync(join(made.folder, "etc/acquis.yaml"), sources.join("---\n"))
    return { ...made, url: `http://127.0.0.1:${made.port}`, server: start(made, []) }
  })

/** Starts a local API that reads no logs; it ends with the scope. */
export const make: Effect.Effect<CrowdSec, PeerError, Scope.Scope> = Effect.gen(function* () {
  const made = yield* place
  yield* made.cscli("bouncers", "add", "signalbox", "--key", bouncerKey)
  const server = yield* start(made, ["-no-cs"])
  const url = `http://127.0.0.1:${made.port}`
  return {
    ...server,
    url,
    cscli: made.cscli,
    env: {
      SIGNALBOX_CROWDSEC_URL: url,
      SIGNALBOX_CROWDSEC_BOUNCER_KEY: bouncerKey,
      SIGNALBOX_CROWDSEC_MACHINE: machine,
      SIGNALBOX_CROWDSEC_PASSWORD: password,
      SIGNALBOX_CROWDSEC_INTERVAL_S: "1"
    }
  }
})
