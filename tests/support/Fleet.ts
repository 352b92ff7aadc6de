/**
 * Processes of the real executable, restarted like systemd units: a process that ends starts again after a delay. For
 * tests that kill processes. The end of the scope ends all of them and the embedded Postgres.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Effect, type Scope } from "effect"
import * as PostmasterFile from "#core/postgres/PostmasterFile.ts"
import { layoutOf } from "#core/postgres/ServerLayout.ts"
import { ensureBuilt } from "./Executable.ts"
import { compileCache, processesIn } from "./Processes.ts"

const root = join(import.meta.dirname, "../..")

/** Log lines kept per unit for failure messages. */
const logTail = 400

/**
 * Longest orderly stop. Unit: milliseconds. Reason: the executable's own deadline of 20 s plus 5 s for a loaded
 * machine.
 */
const stopTimeout = 25_000

export interface UnitOptions {
  readonly name: string
  /** Names of the daemons that this process runs. */
  readonly daemons: ReadonlyArray<string>
  /** Variables added to those of the fleet. */
  readonly env?: Readonly<Record<string, string>>
}

export interface FleetOptions {
  readonly units: ReadonlyArray<UnitOptions>
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  /** Time between the end of a process and its restart. Unit: milliseconds. */
  readonly restartDelay?: () => number
}

/** One process and its restarts. */
export interface Unit {
  readonly name: string
  readonly daemons: ReadonlyArray<string>
  /** Process id while the process runs. */
  readonly pid: () => number | undefined
  /** Time at which each incarnation became ready. Unit: epoch milliseconds. */
  readonly readyAt: ReadonlyArray<number>
  /** End of each incarnation: time in epoch milliseconds, exit code and signal. */
  readonly ends: ReadonlyArray<{
    readonly at: number
    readonly code: number | null
    readonly signal: NodeJS.Signals | null
  }>
  /** Addresses by daemon, of the last incarnation that was ready. */
  readonly addresses: () => Readonly<Record<string, string>>
  readonly isReady: () => boolean
  /** Sends SIGKILL; false when no process runs. */
  readonly kill: () => boolean
  /** The last log lines over all incarnations. */
  readonly log: () => ReadonlyArray<string>
  /** Calls the listener with every log line. */
  readonly onLine: (listener: (line: string) => void) => void
}

export interface Fleet {
  readonly units: ReadonlyArray<Unit>
  readonly unit: (name: string) => Unit
  /** Process id of the embedded Postgres once it accepts connections. */
  readonly postmaster: () => number | undefined
  /** Ids of all processes of the fleet, Postgres included. */
  readonly processes: () => ReadonlyArray<number>
  /** Runs a command of the executable beside the fleet. Returns its standard output. */
  readonly cli: (...args: ReadonlyArray<string>) => Effect.Effect<string>
  /** Sends SIGTERM to all, like `systemctl stop` of the target. Returns how each ended. Nothing restarts afterwards. */
  readonly stop: Effect.Effect<
    ReadonlyArray<{ readonly name: string; readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  >
  /** The last log lines of every unit, for a failure message. */
  readonly tail: (lines?: number) => string
}

/**
 * Command of the executable: the bundle, built when it is not up to date. Without source maps, as in bin/signalbox,
 * because they take a sixth of the processor time of a start.
 */
export const executable = (): ReadonlyArray<string> => {
  ensureBuilt()
  return [join(root, "bin/pinned-node"), join(root, "dist/signalbox.js")]
}

/** Starts the units. Does not wait until they are ready. */
export const startFleet = (options: FleetOptions): Effect.Effect<Fleet, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => new Keeper(options)),
    (keeper) => Effect.promise(() => keeper.end())
  )

class Keeper implements Fleet {
  readonly units: ReadonlyArray<KeptUnit>
  readonly #command = executable()
  readonly #env: Record<string, string>
  readonly #data: string

  constructor(options: FleetOptions) {
    this.#data = layoutOf(realpathSync(options.dataDir)).data
    this.#env = {
      PATH: process.env["PATH"] ?? "",
      ...compileCache,
      SIGNALBOX_DATA_DIR: options.dataDir,
      ...options.env
    }
    this.units = options.units.map(
      (unit) =>
        new KeptUnit(
          unit,
          [...this.#command, "run", ...unit.daemons, "--json"],
          { ...this.#env, ...unit.env },
          options.restartDelay ?? (() => 200)
        )
    )
  }

  unit(name: string): Unit {
    const found = this.units.find((unit) => unit.name === name)
    if (found === undefined) throw new Error(`no unit ${name}`)
    return found
  }

  postmaster(): number | undefined {
    const file = PostmasterFile.read(this.#data)
    if (file === undefined || file.socketDir === "" || !PostmasterFile.isServing(file.pid, this.#data)) return undefined
    // The last line of postmaster.pid is the server's state.
    return /\nready\s*$/.test(readText(join(this.#data, "postmaster.pid"))) ? file.pid : undefined
  }

  processes(): ReadonlyArray<number> {
    return [...this.units.flatMap((unit) => unit.pid() ?? []), ...processesIn(this.#data)]
  }

  cli(...args: ReadonlyArray<string>): Effect.Effect<string> {
    const [command = "", ...rest] = this.#command
    return Effect.promise(
      () =>
        new Promise((resolve, reject) =>
          execFile(command, [...rest, ...args], { env: this.#env, timeout: 60_000 }, (error, out, err) =>
            error === null ? resolve(out) : reject(new Error(`signalbox ${args.join(" ")}: ${error.message}\n${err}`))
          )
        )
    )
  }

  get stop() {
    return Effect.promise(async () => {
      await Promise.all(this.units.map((unit) => unit.stop("SIGTERM")))
      return this.units.map((unit) => ({
        name: unit.name,
        code: unit.ends.at(-1)?.code ?? null,
        signal: unit.ends.at(-1)?.signal ?? null
      }))
    })
  }

  tail(lines = 15): string {
    return this.units
      .map(
        (unit) =>
          `── ${unit.name} (pid ${unit.pid() ?? "none"}, started ${unit.ends.length + 1} times)\n${unit.log().slice(-lines).join("\n")}`
      )
      .join("\n")
  }

  async end(): Promise<void> {
    await Promise.all(this.units.map((unit) => unit.stop("SIGKILL")))
    // Postgres ends shortly after its parent. Processes that remain would disturb the next test.
    for (let waited = 0; processesIn(this.#data).length > 0 && waited < 5_000; waited += 50)
      await new Promise((resolve) => setTimeout(resolve, 50))
    for (const pid of processesIn(this.#data)) {
      try {
        process.kill(pid, "SIGKILL")
      } catch {
        // the process ended in between
      }
    }
  }
}

class KeptUnit implements Unit {
  readonly name: string
  readonly daemons: ReadonlyArray<string>
  readonly readyAt: Array<number> = []
  readonly ends: Array<{ at: number; code: number | null; signal: NodeJS.Signals | null }> = []
  readonly #command: ReadonlyArray<string>
  readonly #env: Readonly<Record<string, string>>
  readonly #restartDelay: () => number
  readonly #lines: Array<string> = []
  readonly #listeners: Array<(line: string) => void> = []
  #addresses: Readonly<Record<string, string>> = {}
  #child: ChildProcess | undefined
  #gone: Promise<void> = Promise.resolve()
  #ready = false
  #kept = true
  #timer: NodeJS.Timeout | undefined

  constructor(
    options: UnitOptions,
    command: ReadonlyArray<string>,
    env: Readonly<Record<string, string>>,
    restartDelay: () => number
  ) {
    this.name = options.name
    this.daemons = options.daemons
    this.#command = command
    this.#env = env
    this.#restartDelay = restartDelay
    this.#start()
  }

  pid = () => this.#child?.pid
  addresses = () => this.#addresses
  isReady = () => this.#ready
  log = () => this.#lines
  onLine = (listener: (line: string) => void) => void this.#listeners.push(listener)

  kill = () => this.#child?.kill("SIGKILL") ?? false

  async stop(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    this.#kept = false
    clearTimeout(this.#timer)
    this.#child?.kill(signal)
    const late = setTimeout(() => this.#child?.kill("SIGKILL"), stopTimeout)
    await this.#gone
    clearTimeout(late)
  }

  #start(): void {
    // The child is killed when the test process dies.
    const child = spawn("setpriv", ["--pdeathsig", "KILL", "--", ...this.#command], {
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe"]
    })
    this.#child = child
    createInterface(child.stdout).on("line", (line) => {
      const said = readReady(line)
      if (said === undefined) return this.#line(line)
      this.#addresses = said
      this.#ready = true
      this.readyAt.push(Date.now())
    })
    createInterface(child.stderr).on("line", (line) => this.#line(line))
    this.#gone = new Promise((resolve) =>
      child.once("exit", (code, signal) => {
        this.#child = undefined
        this.#ready = false
        this.ends.push({ at: Date.now(), code, signal })
        this.#line(`-- ended: ${signal ?? code}`)
        if (this.#kept) this.#timer = setTimeout(() => this.#start(), this.#restartDelay())
        resolve()
      })
    )
  }

  #line(line: string): void {
    this.#lines.push(line)
    if (this.#lines.length > logTail) this.#lines.shift()
    for (const listener of this.#listeners) listener(line)
  }
}

/** Addresses from the ready line of `run --json`. */
const readReady = (line: string): Readonly<Record<string, string>> | undefined => {
  if (!line.startsWith(`{"ready":true`)) return undefined
  return (JSON.parse(line) as { readonly addresses: Readonly<Record<string, string>> }).addresses
}

const readText = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}
