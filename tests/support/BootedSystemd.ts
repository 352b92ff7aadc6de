// A real systemd as PID 1 of its own namespaces, for one scope. It has its own /etc, /run, /var/lib, network and units
// (BootedSystemd.sh) and does not touch the host's systemd. The repository is mounted read-only.

import { execFile, spawn, spawnSync } from "node:child_process"
import { readdirSync, readFileSync, rmdirSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { Context, Data, Effect, Exit, Layer, Schedule, Scope } from "effect"
import { describe } from "vitest"
import { requirePeer } from "./peers/install.ts"

/** `NoBoot`: systemd did not boot. `CommandFailed`: a command inside it exited with a code other than 0. */
export class BootedSystemdError extends Data.TaggedError("BootedSystemdError")<{
  readonly reason: "NoBoot" | "CommandFailed"
  readonly message: string
}> {}

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export class BootedSystemd extends Context.Service<
  BootedSystemd,
  {
    /** Runs `systemctl ARGS` inside and returns its standard output. Fails when the exit code is not 0. */
    readonly systemctl: (...args: ReadonlyArray<string>) => Effect.Effect<string, BootedSystemdError>
    /** Properties of a unit, as `systemctl show` prints them. */
    readonly show: (
      unit: string,
      ...properties: ReadonlyArray<string>
    ) => Effect.Effect<Readonly<Record<string, string>>, BootedSystemdError>
    /** The same of several units, in their order. */
    readonly showAll: (
      units: ReadonlyArray<string>,
      ...properties: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Readonly<Record<string, string>>>, BootedSystemdError>
    /** The unit's journal so far, one `<priority> message` per line. */
    readonly journal: (unit: string) => Effect.Effect<string, BootedSystemdError>
    /** Writes /etc/systemd/system/NAME (NAME may be `x.service.d/y.conf`) and reloads systemd. */
    readonly installUnit: (name: string, text: string) => Effect.Effect<void, BootedSystemdError>
    /** Writes any other file. The path is seen from inside; missing folders are created. */
    readonly writeFile: (path: string, text: string) => Effect.Effect<void>
    readonly readFile: (path: string) => Effect.Effect<string>
    /** Runs any command inside as root. Any exit code is a success. */
    readonly run: (command: string, ...args: ReadonlyArray<string>) => Effect.Effect<Ran>
    /** Command lines of all processes in the unit's cgroup, as `pid command`. Empty when the cgroup does not exist. */
    readonly processes: (unit: string) => Effect.Effect<ReadonlyArray<string>>
    /** Its PID 1, as a process id outside. */
    readonly pid: Effect.Effect<number>
    /** Cuts the power and boots again. Needs a `disk`, or everything is new. */
    readonly reboot: Effect.Effect<void, BootedSystemdError>
  }
>()("signalbox/tests/BootedSystemd") {
  static readonly layerWith = (options: BootOptions) =>
    Layer.effect(
      BootedSystemd,
      Effect.suspend(() => make(options))
    )
  /** The repository is the installed program. */
  static readonly layer = this.layerWith({ mountpoint: "/opt/signalbox" })
}

export interface BootOptions {
  /** Where the repository is mounted. Not with `root`. */
  readonly mountpoint?: string
  /** Folder with an installed Debian, which becomes the root directory and keeps what is written (BootedDebian.sh). */
  readonly root?: string
  /** Empty directory that keeps /etc, /opt and /var over a reboot. It also gets the state of installed packages. */
  readonly disk?: string
  /** Longest time of one command inside. Unit: milliseconds. */
  readonly commandTimeout?: number
}

/**
 * `describe` for tests in a booted systemd. Skips them with a reason where systemd cannot boot; fails instead when `CI`
 * is set.
 */
export const describeBooted = (title: string, body: () => void): void => {
  const reason = unavailable()
  if (reason === undefined) return void describe(title, body)
  if ((process.env["CI"] ?? "") !== "") throw new Error(`${title}: ${reason}`)
  describe.skip(`${title} (skipped: ${reason})`, body)
}

const repository = resolve(import.meta.dirname, "../..")
const script = join(import.meta.dirname, "BootedSystemd.sh")
const debianScript = join(import.meta.dirname, "BootedDebian.sh")

/** Longest time of a boot. Unit: milliseconds. Reason: an idle machine needs 0.1 s, a loaded one far more. */
const bootTimeout = 20_000
/** Pause between two looks at a boot. Unit: milliseconds. Reason: each look starts two programs. */
const bootPause = 100
/** Longest time of one command inside. Unit: milliseconds. Reason: a stop takes up to TimeoutStopSec, 30 s. */
const commandTimeout = 60_000

/** Reason why systemd cannot boot here; undefined when it can. */
const unavailable = (): string | undefined => {
  const peer = requirePeer("systemd")
  if (!peer.available) return peer.reason
  if (process.getuid?.() !== 0) return "booting a systemd needs root"
  if (unifiedHierarchy() === undefined) return "no writable cgroup2 hierarchy is mounted"
  const tried = spawnSync("unshare", [
    "--fork",
    "--pid",
    "--mount",
    "--cgroup",
    "--uts",
    "--ipc",
    "--net",
    "mount",
    "-t",
    "proc",
    "proc",
    "/proc"
  ])
  return tried.status === 0 ? undefined : `namespaces are not permitted: ${String(tried.stderr).trim()}`
}

const unifiedHierarchy = (): string | undefined =>
  readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .find(([, , type, options]) => type === "cgroup2" && options?.split(",").includes("rw"))?.[1]

const make = Effect.fnUntraced(function* (options: BootOptions) {
  const outer = yield* Effect.scope
  let current = yield* boot(options, outer)

  const run = (command: string, ...args: ReadonlyArray<string>) =>
    Effect.callback<Ran>((resume) => {
      const child = execFile(
        "nsenter",
        ["-t", String(current.pid), "-m", "-p", "-C", "-u", "-i", "-n", "--", command, ...args],
        { timeout: options.commandTimeout ?? commandTimeout, maxBuffer: 16 * 1024 * 1024, cwd: "/" },
        (error, stdout, stderr) =>
          resume(
            Effect.succeed({
              code: error === null ? 0 : typeof error.code === "number" ? error.code : -1,
              stdout,
              stderr
            })
          )
      )
      return Effect.sync(() => void child.kill("SIGKILL"))
    })

  const succeeding = (command: string, ...args: ReadonlyArray<string>) =>
    Effect.flatMap(run(command, ...args), ({ code, stdout, stderr }) =>
      code === 0
        ? Effect.succeed(stdout)
        : Effect.fail(
            new BootedSystemdError({
              reason: "CommandFailed",
              message: `${command} ${args.join(" ")}: exit ${code}\n${stdout}${stderr}`
            })
          )
    )

  const systemctl = (...args: ReadonlyArray<string>) => succeeding("systemctl", "--no-pager", ...args)
  const showAll = (units: ReadonlyArray<string>, ...properties: ReadonlyArray<string>) =>
    Effect.map(systemctl("show", `--property=${properties.join(",")}`, ...units), (text) =>
      text
        .trim()
        .split("\n\n")
        .map((block) =>
          Object.fromEntries(
            block.split("\n").map((line) => {
              const at = line.indexOf("=")
              return [line.slice(0, at), line.slice(at + 1)]
            })
          )
        )
    )
  const within = (path: string) => join(`/proc/${current.pid}/root`, path)
  const write = (path: string, text: string) =>
    Effect.promise(async () => {
      await mkdir(dirname(within(path)), { recursive: true })
      await writeFile(within(path), text)
    })

  const booted = run("systemctl", "is-active", "systemd-journald.service").pipe(
    Effect.flatMap(({ stderr, stdout }) =>
      stdout.trim() === "active"
        ? Effect.void
        : Effect.fail(new BootedSystemdError({ reason: "NoBoot", message: `${stdout}${stderr}\n${current.said()}` }))
    ),
    Effect.retry({ schedule: Schedule.spaced(bootPause), times: bootTimeout / bootPause })
  )
  yield* booted

  return BootedSystemd.of({
    pid: Effect.sync(() => current.pid),
    reboot: Effect.gen(function* () {
      yield* Scope.close(current.scope, Exit.void)
      current = yield* boot(options, outer)
      yield* booted
    }),
    systemctl,
    show: (unit, ...properties) => Effect.map(showAll([unit], ...properties), ([shown]) => shown!),
    showAll,
    journal: (unit) =>
      Effect.map(succeeding("journalctl", "--no-pager", "--output=json", "--unit", unit), (text) =>
        text
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => {
            const entry: { PRIORITY?: string; MESSAGE?: string } = JSON.parse(line)
            return `<${entry.PRIORITY}> ${entry.MESSAGE}`
          })
          .join("\n")
      ),
    installUnit: (name, text) =>
      Effect.andThen(write(`/etc/systemd/system/${name}`, text), Effect.asVoid(systemctl("daemon-reload"))),
    writeFile: write,
    readFile: (path) => Effect.promise(() => readFile(within(path), "utf8")),
    run,
    processes: (unit) =>
      Effect.map(
        run(
          "sh",
          "-c",
          `for pid in $(cat $(find /sys/fs/cgroup -path "*/$0/*" -name cgroup.procs) 2>/dev/null </dev/null); do echo "$pid $(tr '\\0' ' ' < /proc/$pid/cmdline)"; done`,
          unit
        ),
        ({ stdout }) => stdout.split("\n").filter((line) => line.trim() !== "")
      )
  })
})

const every = Schedule.spaced("25 millis")

/** Boots once. `scope` is the power: closing it kills PID 1 and every process inside. */
const boot = Effect.fnUntraced(function* (options: BootOptions, outer: Scope.Scope) {
  const scope = yield* Scope.fork(outer)
  return yield* Scope.provide(
    Effect.gen(function* () {
      const cgroup = join(
        unifiedHierarchy() ?? "",
        `signalbox-test-${process.pid}-${Math.random().toString(36).slice(2, 8)}`
      )
      yield* Effect.acquireRelease(
        Effect.promise(() => mkdir(cgroup)),
        () =>
          Effect.try({ try: () => removeCgroup(cgroup), catch: (cause) => cause }).pipe(
            Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 100 }),
            Effect.ignore
          )
      )
      let said = ""
      const leader = yield* Effect.acquireRelease(
        Effect.sync(() => {
          // The child is killed when this process dies. PID 1 dies with it, and so does every process inside.
          const child = spawn(
            "setpriv",
            [
              "--pdeathsig",
              "KILL",
              "--",
              ...(options.root === undefined
                ? [
                    script,
                    repository,
                    cgroup,
                    options.mountpoint ?? "/opt/signalbox",
                    ...(options.disk === undefined ? [] : [options.disk])
                  ]
                : [debianScript, options.root, cgroup])
            ],
            { stdio: ["ignore", "pipe", "pipe"], detached: true }
          )
          child.stdout.on("data", (chunk) => (said += chunk))
          child.stderr.on("data", (chunk) => (said += chunk))
          return { child, exited: new Promise<void>((done) => child.once("exit", () => done())) }
        }),
        ({ child, exited }) => Effect.promise(() => (child.kill("SIGKILL"), exited))
      )
      const pid = yield* Effect.suspend(() => {
        const text = readFileSync(`/proc/${leader.child.pid}/task/${leader.child.pid}/children`, "utf8").trim()
        return /^\d+$/.test(text)
          ? Effect.succeed(Number(text))
          : Effect.fail(new BootedSystemdError({ reason: "NoBoot", message: `no PID 1\n${said}` }))
      }).pipe(Effect.retry({ schedule: every, times: bootTimeout / 25 }))
      return { pid, scope, said: () => said }
    }),
    scope
  )
})

/** Removes a cgroup, deepest level first. Throws while a process is still exiting. */
const removeCgroup = (path: string): void => {
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) removeCgroup(join(path, entry.name))
  rmdirSync(path)
}
