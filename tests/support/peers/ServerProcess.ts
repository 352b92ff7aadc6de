// A server program of a test, in its own process group: start until ready, stop, kill, restart. PR_SET_PDEATHSIG
// (setpriv) kills it when the test process dies, even by SIGKILL.

import { type ChildProcess, spawn } from "node:child_process"
import { Effect, type Scope } from "effect"
import { poll } from "./Loopback.ts"
import { PeerError } from "./PeerError.ts"

/** A server process. All effects can be repeated: `start` of a running and `stop` of a stopped server do nothing. */
export interface ServerProcess {
  /** Starts the server and waits until it is ready. */
  readonly start: Effect.Effect<void, PeerError>
  /** Sends SIGTERM and waits for the exit; sends SIGKILL after a timeout. */
  readonly stop: Effect.Effect<void>
  /** Sends SIGKILL to the whole group, like a power cut, and waits for the exit. */
  readonly kill9: Effect.Effect<void>
  /** Runs `stop`, then `start`, on the same ports. */
  readonly restart: Effect.Effect<void, PeerError>
  /** Process id while the server runs. */
  readonly pid: () => number | undefined
}

export interface ServerOptions {
  readonly peer: string
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** True once the server is ready. Polled (PollPause.ts). */
  readonly isReady: () => Promise<boolean>
  /** Log of the server, for the message when it does not start. */
  readonly log: () => string
}

/**
 * Longest start. Unit: milliseconds. Reason: 0.5 s on an idle machine, many times that on a loaded one with two cores.
 */
const readyTimeout = 30_000
/** Longest wait after SIGTERM. Unit: milliseconds. Reason: an idle Dovecot needs 2 to 3 s. */
const stopTimeout = 15_000
/** Characters of log kept for the error message. */
const logTail = 2_000

/** Starts the server. The end of the scope kills it without SIGTERM, because its files are deleted too. */
export const make = (options: ServerOptions): Effect.Effect<ServerProcess, PeerError, Scope.Scope> =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => unstarted(options)),
      (server) => server.kill9
    )
    yield* server.start
    return server
  })

const unstarted = (options: ServerOptions): ServerProcess => {
  let current: { readonly child: ChildProcess; readonly exited: Promise<void> } | undefined
  let said = ""

  const launch = () => {
    const child = spawn("setpriv", ["--pdeathsig", "TERM", "--", options.command, ...options.args], {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"]
    })
    const keep = (chunk: Buffer) => void (said = (said + chunk.toString()).slice(-logTail))
    child.stdout?.on("data", keep)
    child.stderr?.on("data", keep)
    const exited = new Promise<void>((resolve) => {
      child.once("exit", () => resolve())
      child.once("error", (error) => {
        said += error.message
        resolve()
      })
    })
    const started = { child, exited }
    current = started
    void exited.then(() => {
      if (current === started) current = undefined
    })
    return started
  }

  const signalGroup = (pid: number | undefined, signal: NodeJS.Signals): void => {
    if (pid === undefined) return
    try {
      process.kill(-pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
    }
  }

  const start = Effect.tryPromise({
    try: async () => {
      if (current !== undefined) return
      const { child } = launch()
      const outcome = await poll(async () => {
        if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return "died" as const
        return (await options.isReady()) ? ("ready" as const) : undefined
      }, readyTimeout)
      if (outcome === "ready") return
      signalGroup(child.pid, "SIGKILL")
      throw new Error(
        `${outcome === "died" ? "ended at once" : `did not answer in ${readyTimeout} ms`}: ${(said + options.log()).slice(-logTail)}`
      )
    },
    catch: (error) =>
      new PeerError({ peer: options.peer, reason: "NotReady", message: `${options.peer} ${(error as Error).message}` })
  })

  const end = (signal: NodeJS.Signals) =>
    Effect.promise(async () => {
      if (current === undefined) return
      const { child, exited } = current
      signalGroup(child.pid, signal)
      const timer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), stopTimeout)
      await exited
      clearTimeout(timer)
      // Children that survive the main process would keep the ports.
      signalGroup(child.pid, "SIGKILL")
    })

  const stop = end("SIGTERM")
  return {
    start,
    stop,
    kill9: end("SIGKILL"),
    restart: Effect.flatMap(stop, () => start),
    pid: () => current?.child.pid
  }
}
