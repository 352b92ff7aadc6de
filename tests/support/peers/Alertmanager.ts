// Debian's prometheus-alertmanager on its own loopback ports, for comparison in benchmarks.

import { writeFileSync } from "node:fs"
import { Effect, type Scope } from "effect"
import { availability } from "./install.ts"
import { freePort, scratchFolder } from "./Loopback.ts"
import { PeerError } from "./PeerError.ts"
import * as ServerProcess from "./ServerProcess.ts"

export interface AlertmanagerOptions {
  /** Address that receives one POST per alert group. */
  readonly webhookUrl: string
}

/** One alert, as the v2 API accepts it. */
export interface Alert {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

export interface Alertmanager {
  /** Base address without a trailing slash. */
  readonly url: string
  readonly httpPort: number
  /** Posts alerts (API v2). Returns when they are accepted. */
  readonly post: (alerts: ReadonlyArray<Alert>) => Effect.Effect<void, PeerError>
  readonly start: Effect.Effect<void, PeerError>
  readonly stop: Effect.Effect<void>
  readonly kill9: Effect.Effect<void>
  readonly restart: Effect.Effect<void, PeerError>
}

/** Every alert is its own group and is sent at once: one webhook call per alert, like ours. */
const config = (webhookUrl: string): string => `
route:
  receiver: sink
  group_by: ['...']
  group_wait: 0s
  group_interval: 1s
  repeat_interval: 1h
receivers:
  - name: sink
    webhook_configs:
      - url: ${JSON.stringify(webhookUrl)}
        send_resolved: false
`

/** Starts an Alertmanager without a cluster; it ends with the scope. */
export const make = (options: AlertmanagerOptions): Effect.Effect<Alertmanager, PeerError, Scope.Scope> =>
  Effect.gen(function* () {
    const found = availability("alertmanager")
    if (!found.available)
      return yield* new PeerError({ peer: "alertmanager", reason: "NotInstalled", message: found.reason })
    const folder = yield* scratchFolder("alertmanager")
    const httpPort = yield* freePort
    const url = `http://127.0.0.1:${httpPort}`
    writeFileSync(`${folder}/alertmanager.yml`, config(options.webhookUrl))
    const server = yield* ServerProcess.make({
      peer: "alertmanager",
      command: found.path,
      args: [
        `--config.file=${folder}/alertmanager.yml`,
        `--storage.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${httpPort}`,
        "--cluster.listen-address=",
        "--log.level=warn"
      ],
      cwd: folder,
      isReady: () =>
        fetch(`${url}/-/ready`).then(
          (answer) => answer.ok,
          () => false
        ),
      log: () => ""
    })
    const post = (alerts: ReadonlyArray<Alert>) =>
      Effect.tryPromise({
        try: async () => {
          const answer = await fetch(`${url}/api/v2/alerts`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(alerts)
          })
          const text = await answer.text()
          if (!answer.ok) throw new Error(`${answer.status} ${text}`)
        },
        catch: (error) =>
          new PeerError({ peer: "alertmanager", reason: "CommandFailed", message: (error as Error).message })
      })
    return { url, httpPort, post, start: server.start, stop: server.stop, kill9: server.kill9, restart: server.restart }
  })
