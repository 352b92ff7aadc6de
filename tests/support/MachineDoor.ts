/**
 * HTTP requests of the test process to a port of a booted systemd, which has a network of its own. A proxy of systemd
 * connects a unix socket of the machine with the port, so a request starts no process.
 */
import { request } from "node:http"
import { Effect } from "effect"
import { BootedSystemd, type BootedSystemdError } from "./BootedSystemd.ts"

/** Longest wait for an answer. Unit: milliseconds. Reason: a loaded machine. */
const patience = 30_000

/** Socket of the proxy, as seen from inside. */
const socket = "/run/door.sock"

const socketUnit = `[Unit]\nDefaultDependencies=no\n[Socket]\nListenStream=${socket}\n`

const proxyUnit = (port: number) =>
  `[Unit]\nDefaultDependencies=no\n[Service]\nExecStart=/lib/systemd/systemd-socket-proxyd 127.0.0.1:${port}\n`

/** Answer of a port. Status 0: no answer came, and `text` has the reason. */
export interface DoorAnswer {
  readonly status: number
  readonly text: string
}

export interface DoorRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Opens the way to 127.0.0.1:PORT of the machine. One port for each machine. */
export const openDoor = (
  port: number
): Effect.Effect<(asked: DoorRequest) => Effect.Effect<DoorAnswer>, BootedSystemdError, BootedSystemd> =>
  Effect.gen(function* () {
    const system = yield* BootedSystemd
    yield* system.installUnit("door.socket", socketUnit)
    yield* system.installUnit("door.service", proxyUnit(port))
    yield* system.systemctl("start", "door.socket")
    const socketPath = `/proc/${yield* system.pid}/root${socket}`
    return ({ body, headers, method, path }) =>
      Effect.callback((resume) => {
        const failed = (error: Error) => resume(Effect.succeed({ status: 0, text: error.message }))
        const outgoing = request({ socketPath, method, path, headers, agent: false, timeout: patience }, (answer) => {
          let text = ""
          answer.setEncoding("utf8")
          answer.on("data", (chunk: string) => (text += chunk))
          answer.once("error", failed)
          answer.once("end", () => resume(Effect.succeed({ status: answer.statusCode ?? 0, text })))
        })
        outgoing.once("timeout", () => outgoing.destroy(new Error(`no answer within ${patience} ms`)))
        outgoing.once("error", failed)
        outgoing.end(body)
        return Effect.sync(() => void outgoing.destroy())
      })
  })
