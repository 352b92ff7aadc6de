/**
 * Time from a line in a container to the client that follows its log, through the daemon and, as the floor, straight
 * from Podman. The container prints the kernel's uptime, which has steps of 10 ms, so a figure may be 10 ms too high.
 */
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { type ClientRequest, request, type RequestOptions } from "node:http"
import { uptime } from "node:os"
import * as ServiceTokenStore from "#core/auth/ServiceTokenStore.ts"
import { withClient } from "#core/postgres/Bootstrap.ts"
import { ensurePeers } from "#support/peers/install.ts"
import * as Podman from "#support/peers/Podman.ts"
import { type Figure, figure, median } from "../Figure.ts"
import { onStage } from "../load/Stage.ts"
import { startDaemon } from "../OneDaemon.ts"

/** Lines that are measured by each way, and how often the container prints one. Units: lines, seconds. */
const lines = 200
const interval = 0.05

/** Target. Unit: milliseconds. Source: the issue. */
const allowed = 50

const script = `while read now idle < /proc/uptime; do echo "uptime $now"; sleep ${interval}; done`

/** Delays of the first lines of an answer that prints uptimes. Unit: milliseconds. */
const delays = (options: RequestOptions): Promise<ReadonlyArray<number>> =>
  new Promise((resolve, reject) => {
    const found: Array<number> = []
    let rest = ""
    const outgoing: ClientRequest = request(options, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`the log answers ${answer.statusCode}`))
      answer.setEncoding("latin1")
      answer.on("data", (chunk: string) => {
        const now = uptime()
        const parts = (rest + chunk).split(/(?<=uptime \d+\.\d\d)(?!\d)/)
        rest = parts.pop()!
        for (const part of parts) {
          const printed = /uptime (\d+\.\d\d)$/.exec(part)
          if (printed !== null) found.push(1_000 * (now - Number(printed[1])))
        }
        if (found.length < lines) return
        outgoing.destroy()
        resolve(found)
      })
      answer.on("error", () => {})
    })
    outgoing.on("error", reject)
    outgoing.end()
  })

export const followedLog = (): Promise<ReadonlyArray<Figure>> =>
  onStage(async ({ database, folder, inScope, keep }) => {
    await ensurePeers(["containers"])
    const podman = await inScope(Podman.make)
    await inScope(podman.run("clock", { script }))
    const bare = await delays({
      socketPath: podman.socketPath,
      path: "/v1.44/containers/clock/logs?follow=1&stdout=1&tail=0",
      headers: { host: "engine" }
    })
    const subject = keep(
      await startDaemon("watchdog", database, folder, {
        SIGNALBOX_CONTAINER_SOCKET: podman.socketPath,
        WATCHDOG_ROOT_SOCKET: "/nonexistent/helper.sock"
      })
    )
    const token = await inScope(
      withClient(database.superuser, (sql) =>
        Effect.provideService(
          ServiceTokenStore.create({ name: "bench", scopes: ["platform"] }),
          SqlClient.SqlClient,
          sql
        )
      )
    )
    const ours = await delays({
      host: "127.0.0.1",
      port: subject.port,
      path: "/api/v1/system/services/clock/logs/follow?lines=0",
      headers: { "x-service-token": Redacted.value(token.token) }
    })
    return [
      figure("watchdog: a line of a followed log at the client, p50", median(ours), "ms", {
        floor: median(bare),
        target: allowed
      })
    ]
  })
