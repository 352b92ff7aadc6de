// A real rspamd for a test, as a milter on its own loopback port, with the files of config/rspamd as an operator
// installs them. It queries only our name server, which knows no name. It has no Redis and contacts no other host.

import { spawnSync } from "node:child_process"
import { createSocket } from "node:dgram"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { requirePeer } from "./install.ts"
import { freePort, scratchFolder } from "./Loopback.ts"
import { PeerError } from "./PeerError.ts"
import * as ServerProcess from "./ServerProcess.ts"

export interface Rspamd extends ServerProcess.ServerProcess {
  /** Port for Postfix: `smtpd_milters = inet:127.0.0.1:PORT`. */
  readonly milterPort: number
  /** Directory for DKIM keys and the selector map: empty, readable by rspamd's group, as in config/rspamd/README.md. */
  readonly dkimDirectory: string
  readonly log: () => string
}

const shipped = join(import.meta.dirname, "../../../config/rspamd/local.d")

/** User and group of rspamd, created by Debian's package. */
const user = "_rspamd"

/** Starts an rspamd; it ends with the scope. */
export const make: Effect.Effect<Rspamd, PeerError, Scope.Scope> = Effect.gen(function* () {
  const found = requirePeer("rspamd")
  if (!found.available) return yield* new PeerError({ peer: "rspamd", reason: "NotInstalled", message: found.reason })
  const milterPort = yield* freePort
  const nameserverPort = yield* emptyNameserver
  const folder = yield* scratchFolder("rspamd")
  chmodSync(folder, 0o755)
  const dkimDirectory = `${folder}/dkim`
  yield* made(["-d", "-m", "2750", "-g", user, dkimDirectory])
  yield* made(["-d", "-m", "750", "-o", user, "-g", user, `${folder}/state`])
  yield* Effect.try({
    try: () =>
      copyShipped(folder, { "/var/lib/signalbox-dkim": dkimDirectory, "127.0.0.1:11332": `127.0.0.1:${milterPort}` }),
    catch: (error) => failed(String(error))
  })
  mkdirSync(`${folder}/override.d`)
  writeFileSync(`${folder}/suffixes`, "test\n")
  for (const [name, text] of Object.entries(ofTheTest(nameserverPort, `${folder}/suffixes`)))
    writeFileSync(`${folder}/override.d/${name}`, text)

  const log = () => (existsSync(`${folder}/state/rspamd.log`) ? readFileSync(`${folder}/state/rspamd.log`, "utf8") : "")
  const places = {
    LOCAL_CONFDIR: folder,
    DBDIR: `${folder}/state`,
    RUNDIR: `${folder}/state`,
    LOGDIR: `${folder}/state`
  }
  const server = yield* ServerProcess.make({
    peer: "rspamd",
    command: found.path,
    args: [
      "-f",
      "-u",
      user,
      "-g",
      user,
      "-c",
      "/etc/rspamd/rspamd.conf",
      ...Object.entries(places).flatMap(([name, value]) => ["--var", `${name}=${value}`])
    ],
    cwd: folder,
    isReady: () => listens(milterPort),
    log
  })
  return { ...server, milterPort, dkimDirectory, log }
})

/** Copies the shipped files and replaces only the given places, so that a wrong shipped file fails a test. */
const copyShipped = (folder: string, places: Readonly<Record<string, string>>): void => {
  mkdirSync(`${folder}/local.d`)
  let all = ""
  for (const name of readdirSync(shipped)) {
    const text = readFileSync(join(shipped, name), "utf8")
    all += text
    writeFileSync(
      `${folder}/local.d/${name}`,
      Object.entries(places).reduce((filled, [place, own]) => filled.replaceAll(place, own), text)
    )
  }
  for (const place of Object.keys(places)) if (!all.includes(place)) throw new Error(`config/rspamd has no ${place}`)
}

/** Test settings: no ports except the milter's, and no compilation of all public suffixes, which takes 10 s. */
const ofTheTest = (nameserverPort: number, suffixes: string): Readonly<Record<string, string>> => ({
  "options.inc": `dns { nameserver = ["127.0.0.1:${nameserverPort}:1"]; }\ndisable_hyperscan = true;\nurl_tld = "${suffixes}";\n`,
  "worker-controller.inc": "enabled = false;\n",
  "fuzzy_check.conf": "enabled = false;\n",
  "logging.inc": `debug_modules = ["dkim_signing"];\n`
})

const made = (args: ReadonlyArray<string>): Effect.Effect<void, PeerError> =>
  Effect.suspend(() => {
    const result = spawnSync("install", args, { encoding: "utf8" })
    return result.status === 0 ? Effect.void : Effect.fail(failed(result.stderr))
  })

const failed = (message: string) => new PeerError({ peer: "rspamd", reason: "NotReady", message })

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" })
    const finish = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.once("connect", () => finish(true)).once("error", () => finish(false))
  })

/** Header flags of an authoritative answer with NXDOMAIN. Source: RFC 1035 §4.1.1. */
const noSuchName = 0x8583

/** A name server that answers every query with NXDOMAIN. Returns its port; ends with the scope. */
const emptyNameserver: Effect.Effect<number, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ReturnType<typeof createSocket>>((resolve) => {
          const socket = createSocket("udp4", (question, from) => {
            if (question.length < 12) return
            const answer = Buffer.from(question)
            answer.writeUInt16BE(noSuchName, 2)
            socket.send(answer, from.port, from.address)
          })
          socket.bind(0, "127.0.0.1", () => resolve(socket))
        })
    ),
    (socket) => Effect.sync(() => socket.close())
  ),
  (socket) => socket.address().port
)
