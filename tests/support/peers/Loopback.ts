// Loopback ports and folders for servers that tests run, and waiting for them. Timers here are Node's own, so that a
// test clock does not stop them.

import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, type Scope } from "effect"

/**
 * Ports offered to servers. Below Linux's range for outgoing connections (from 32,768): a server that is killed and
 * comes back on its port must not find some client's outgoing connection there.
 */
const firstPort = 20_000
const lastPort = 32_000
const taken = new Set<number>()

/** A TCP port on 127.0.0.1 that nobody listens on, given out once per process. */
export const freePort: Effect.Effect<number> = Effect.promise(async () => {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * (lastPort - firstPort))
    if (!taken.has(port) && (await bindable(port))) {
      taken.add(port)
      return port
    }
  }
})

const bindable = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)))
  })

const folderPrefix = "signalbox-peer-"

/**
 * A folder of its own under the system's temporary one, or under `parent`, removed at scope end. The name carries our
 * process id: what a killed test run left behind is removed by the next.
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
      // another user's: theirs to remove
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

/** Asks again every `pause` ms until the answer is not undefined; undefined when `timeout` ms have passed. */
export const poll = async <A>(
  ask: () => Promise<A | undefined>,
  timeout: number,
  pause = 20
): Promise<A | undefined> => {
  const deadline = performance.now() + timeout
  for (;;) {
    const answer = await ask()
    if (answer !== undefined || performance.now() > deadline) return answer
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/**
 * The first bytes a server says after connect, or undefined when it refuses, says nothing for a second, or hangs up.
 */
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
