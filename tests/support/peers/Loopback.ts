// Free loopback ports, temporary folders and polling for the servers of tests. Uses Node's own timers, so that a test
// clock does not stop them.

import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { pollPause } from "../PollPause.ts"

/**
 * Range of ports for servers. It lies below Linux's range for outgoing connections (from 32,768), because a restarted
 * server must not find its port in use by an outgoing connection.
 */
const firstPort = 20_000
const lastPort = 32_000

/** Parts of the range. Test workers that run at the same time use different ones. */
const parts = 8
const partLength = (lastPort - firstPort) / parts
const firstOfPart = firstPort + (Number(process.env["VITEST_POOL_ID"] ?? 0) % parts) * partLength
const taken = new Set<number>()

/** A free TCP port on 127.0.0.1; each process gets a port only once, until it has had its whole part of the range. */
export const findFreePort = async (): Promise<number> => {
  for (;;) {
    if (taken.size > partLength / 2) taken.clear()
    const port = firstOfPart + Math.floor(Math.random() * partLength)
    if (!taken.has(port) && (await bindable(port))) {
      taken.add(port)
      return port
    }
  }
}

/** `findFreePort` as an effect. */
export const freePort: Effect.Effect<number> = Effect.promise(findFreePort)

const bindable = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)))
  })

const folderPrefix = "signalbox-peer-"

/**
 * A new folder in the system's temporary folder, or in `parent`; removed at scope end. Its name contains our process
 * id. Folders of a killed test run are removed by the next run.
 */
export const scratchFolder = (peer: string, parent = tmpdir()): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      sweepOnce(parent)
      return mkdtempSync(join(parent, `${folderPrefix}${process.pid}-${peer}-`))
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }))
  )

const swept = new Set<string>()
const sweepOnce = (parent: string): void => {
  if (swept.has(parent)) return
  swept.add(parent)
  for (const name of readdirSync(parent)) {
    const owner = Number(name.slice(folderPrefix.length).split("-")[0])
    if (!name.startsWith(folderPrefix) || !Number.isInteger(owner) || alive(owner)) continue
    try {
      rmSync(join(parent, name), { recursive: true, force: true })
    } catch {
      // the folder belongs to a different user
    }
  }
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Asks until the answer is not undefined. Returns undefined after `timeout` ms. `pause`: default pollPause. */
export const poll = async <A>(
  ask: () => Promise<A | undefined>,
  timeout: number,
  pause?: number
): Promise<A | undefined> => {
  const from = performance.now()
  for (;;) {
    const answer = await ask()
    const waited = performance.now() - from
    if (answer !== undefined || waited > timeout) return answer
    await new Promise((resolve) => setTimeout(resolve, pause ?? pollPause(waited)))
  }
}

/** The first bytes from a server after connect. Undefined when it refuses, closes, or sends nothing for a second. */
export const banner = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" })
    const finish = (text: string | undefined) => {
      socket.destroy()
      resolve(text)
    }
    socket.setTimeout(1_000, () => finish(undefined))
    socket.once("error", () => finish(undefined))
    socket.once("close", () => finish(undefined))
    socket.once("data", (data) => finish(data.toString("latin1")))
  })
