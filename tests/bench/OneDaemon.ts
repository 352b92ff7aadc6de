/** The daemon under measurement: the shipped executable as a separate process over a fresh database. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { portVariable } from "#core/daemon/KnownDaemons.ts"
import { ensureBuilt } from "#support/Executable.ts"
import type { FreshDatabase } from "#support/Postgres.ts"

const executable = fileURLToPath(new URL("../../bin/signalbox", import.meta.url))

export interface OneDaemon {
  readonly pid: number
  readonly port: number
  /** Stops the daemon and waits until it has ended. */
  readonly end: () => Promise<void>
}

/** Starts the daemon and waits until it is ready. Rejects when it ends first. `env`: settings added to the defaults. */
export const startDaemon = async (
  name: string,
  database: FreshDatabase,
  dataDir: string,
  env: Readonly<Record<string, string>> = {}
): Promise<OneDaemon> => {
  ensureBuilt()
  const child = spawn(executable, ["run", name, "--json"], {
    env: {
      PATH: process.env["PATH"],
      HOME: dataDir,
      DATABASE_URL: database.url,
      SIGNALBOX_DATA_DIR: dataDir,
      [portVariable(name)]: "0",
      SIGNALBOX_LOG_LEVEL: "warn",
      ...env
    },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, "exit")
    child.kill("SIGTERM")
    await gone
  }
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line") as Promise<[string]>,
    once(child, "exit").then(([code]) => Promise.reject(new Error(`signalbox ended with ${code}`)))
  ])
  return { pid: child.pid!, port: Number(new URL(JSON.parse(line).addresses[name]).port), end }
}
