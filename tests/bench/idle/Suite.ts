/** Daemons in a process of their own, as `signalbox up` or `signalbox run` start them. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { portVariable } from "#core/daemon/KnownDaemons.ts"
import { daemons } from "#daemons/Suite.ts"
import { ensureBuilt } from "#support/Executable.ts"
import type { FreshDatabase } from "#support/Postgres.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "")

export interface WholeSuite {
  readonly pid: number
  /** Base address of the gateway; undefined without one. */
  readonly url: string | undefined
  readonly end: () => Promise<void>
}

/**
 * Starts daemons by the executable, with the options of Node that it has, and waits until they are ready. `names`: some
 * daemons without a gateway; default: all of them behind it. `nodeOptions`: further options, such as `--cpu-prof`.
 */
export const startWhole = async (
  database: FreshDatabase,
  dataDir: string,
  options: { readonly names?: ReadonlyArray<string>; readonly nodeOptions?: ReadonlyArray<string> } = {}
): Promise<WholeSuite> => {
  ensureBuilt()
  mkdirSync(dataDir, { recursive: true })
  const { names, nodeOptions = [] } = options
  const child = spawn(`${root}/bin/signalbox`, [...(names === undefined ? ["up"] : ["run", ...names]), "--json"], {
    env: {
      PATH: process.env["PATH"],
      HOME: dataDir,
      NODE_OPTIONS: nodeOptions.join(" "),
      DATABASE_URL: database.url,
      SIGNALBOX_DATA_DIR: dataDir,
      SIGNALBOX_GATEWAY_PORT: "0",
      SIGNALBOX_CLUSTER_PORT: "0",
      SIGNALBOX_ALARM_SMTP_PORT: "0",
      SIGNALBOX_HEALTH_ADDRESSES: "127.0.0.1/32",
      SIGNALBOX_LOG_LEVEL: "warn",
      ...Object.fromEntries(daemons.map(({ name }) => [portVariable(name), "0"]))
    },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line") as Promise<[string]>,
    once(child, "exit").then(([code]) => Promise.reject(new Error(`signalbox ended with ${code}`)))
  ])
  return {
    pid: child.pid!,
    url: JSON.parse(line).addresses.gateway,
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, "exit")
      child.kill("SIGTERM")
      await gone
    }
  }
}

/** Processor time of all threads of a process. Unit: milliseconds. Source: proc(5), schedstat, nanoseconds. */
export const processorTime = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce(
    (sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ", 1)[0]) / 1e6,
    0
  )

/** Resident memory. Unit: MB. */
export const residentMemory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1_000
