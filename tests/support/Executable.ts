/** The built executable as an operator runs it: `bin/signalbox` with its own environment. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { realpathSync } from "node:fs"
import { join } from "node:path"
import { buildAlone } from "./BuildLock.ts"
import { compileCache, processesIn } from "./Processes.ts"

const root = join(import.meta.dirname, "../..")

let isBuilt = false

/** Builds the bundle when it is not up to date. Looks once in each worker process. */
export const ensureBuilt = (): void => {
  if (isBuilt) return
  buildAlone(join(root, "bin/pinned-node"), [join(root, "scripts/build.js")], "inherit")
  isBuilt = true
}

export type Environment = Readonly<Record<string, string>>

/** Environment of a command: free ports, no fsync, and of the test's environment only PATH and the compile cache. */
export const environmentOf = (dataDir: string): Environment => ({
  PATH: process.env["PATH"] ?? "/usr/bin:/bin",
  ...compileCache,
  HOME: dataDir,
  SIGNALBOX_DATA_DIR: dataDir,
  SIGNALBOX_FSYNC: "false",
  SIGNALBOX_GATEWAY_PORT: "0",
  SIGNALBOX_ALARM_BRIDGE_PORT: "0",
  SIGNALBOX_COMM_DISPATCHER_PORT: "0",
  SIGNALBOX_STATUS_CHECKER_PORT: "0",
  SIGNALBOX_EDGE_AUTH_PORT: "0",
  SIGNALBOX_ALARM_SMTP_PORT: "0",
  SIGNALBOX_MAIL_LOOKUP_PORT: "0"
})

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A running command, leader of its own process group. */
export interface Command {
  readonly pid: number
  readonly ended: Promise<Ended>
  /** The first line of standard output that begins with `start`. Rejects when the command ends first. */
  readonly line: (start: string) => Promise<string>
  /** Everything printed so far on both streams, in the order in which it arrived. */
  readonly printed: () => string
  /** Signals the process, or its whole group as a terminal does. */
  readonly signal: (name: NodeJS.Signals, group?: "group") => void
}

export const start = (args: ReadonlyArray<string>, env: Environment): Command => {
  const child = spawn(join(root, "bin/signalbox"), args, {
    env,
    cwd: env["SIGNALBOX_DATA_DIR"],
    detached: true,
    stdio: ["ignore", "pipe", "pipe"]
  })
  let stdout = ""
  let stderr = ""
  let printed = ""
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const look of waiting) look()
  }
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk
    printed += chunk
    wake()
  })
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk
    printed += chunk
  })
  const ended = once(child, "close").then(([code, signal]): Ended => ({ code, signal, stdout, stderr }))
  const line = (begin: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = stdout
          .split("\n")
          .slice(0, -1)
          .find((candidate) => candidate.startsWith(begin))
        if (found === undefined) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
      void ended.then((end) =>
        reject(new Error(`ended with ${end.code ?? end.signal} before "${begin}":\n${stdout}\n${stderr}`))
      )
    })
  return {
    pid: child.pid!,
    ended,
    line,
    printed: () => printed,
    signal: (name, group) => {
      // The process id may already belong to a different process.
      if (child.exitCode !== null || child.signalCode !== null) return
      try {
        process.kill(group === undefined ? child.pid! : -child.pid!, name)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
      }
    }
  }
}

/** Runs a command and waits for its end. */
export const run = (args: ReadonlyArray<string>, env: Environment): Promise<Ended> => start(args, env).ended

/** Process ids of the embedded Postgres of a data directory. */
export const postgresOf = (dataDir: string): ReadonlyArray<number> => {
  try {
    return processesIn(realpathSync(join(dataDir, "postgres/data")))
  } catch {
    return []
  }
}
