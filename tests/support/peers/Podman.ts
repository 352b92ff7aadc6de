/**
 * A real Podman for a test. Containers, images and the Docker-compatible socket are in its own folder. Ends with the
 * scope.
 *
 * Requirements to run as root inside a container, as on build machines (tested with Podman 4.3.1, crun 1.8.1):
 * - Storage driver vfs, because overlay does not work on overlay. The image is one program, so the cost is small.
 * - No network, cgroups or seccomp filter, because they cannot be created there. Without cgroups a container cannot be
 *   paused.
 * - Explicit limits for files and processes. crun requests a million by default and fails when the host allows less.
 * - A mount namespace with only cgroup version 2. crun fails where version 1 is mounted beside it.
 * - Health checks by the test (`check`), because without systemd no timer runs them.
 */
import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect, type Scope } from "effect"
import { requirePeer } from "./install.ts"
import { scratchFolder } from "./Loopback.ts"
import { PeerError } from "./PeerError.ts"
import * as ServerProcess from "./ServerProcess.ts"

export interface Podman {
  readonly socketPath: string
  /** The server behind the socket. Containers continue to run without it. */
  readonly service: ServerProcess.ServerProcess
  /**
   * Starts a container that sleeps. `checked`: it has a health check, which passes until `ail` is called. `script`: it
   * runs this text with sh instead. `env`: variables of its environment.
   */
  readonly run: (
    name: string,
    options?: { readonly checked?: boolean; readonly script?: string; readonly env?: string }
  ) => Effect.Effect<void, PeerError>
  /** Runs the health check once, as systemd's timer does. */
  readonly check: (name: string) => Effect.Effect<void, PeerError>
  readonly ail: (name: string) => Effect.Effect<void, PeerError>
  readonly heal: (name: string) => Effect.Effect<void, PeerError>
  readonly stop: (name: string) => Effect.Effect<void, PeerError>
  readonly start: (name: string) => Effect.Effect<void, PeerError>
  readonly remove: (name: string) => Effect.Effect<void, PeerError>
  /** Makes a file in the container. */
  readonly touch: (name: string, path: string) => Effect.Effect<void, PeerError>
}

const image = "signalbox-test:1"
const env = { DISABLE_HC_SYSTEMD: "true" }
/** Lifetime of a container. Unit: seconds. Reason: longer than any test; containers of a killed run still end. */
const lifetime = 600
/** Longest time of a command. Unit: milliseconds. Reason: 0.2 s on an idle machine, far more on a loaded one. */
const commandTimeout = 60_000

export const make: Effect.Effect<Podman, PeerError, Scope.Scope> = Effect.gen(function* () {
  for (const peer of ["podman", "busybox-static"] as const) {
    const found = requirePeer(peer)
    if (!found.available) return yield* new PeerError({ peer, reason: "NotInstalled", message: found.reason })
  }
  const folder = yield* scratchFolder("podman")
  const socketPath = join(folder, "engine.sock")
  const [program, ...before] = podmanIn(folder)
  const command = (...args: ReadonlyArray<string>) =>
    Effect.tryPromise({
      try: () =>
        promisify(execFile)(program!, [...before, ...args], {
          env: { ...process.env, ...env },
          timeout: commandTimeout
        }),
      catch: (error) =>
        new PeerError({
          peer: "podman",
          reason: "CommandFailed",
          message: `podman ${args[0]}: ${(error as Error).message}`
        })
    }).pipe(Effect.asVoid)
  const touch = (name: string, path: string) => command("exec", name, "/bin/touch", path)
  // An unhealthy result is an exit code, not a failure of the command.
  const check = (name: string) => Effect.ignore(command("healthcheck", "run", name))

  yield* Effect.addFinalizer(() => Effect.ignore(command("rm", "--force", "--all", "--time=0")))
  yield* importImage(folder, command)
  const service = yield* ServerProcess.make({
    peer: "podman",
    command: program!,
    args: [...before, "system", "service", "--time=0", `unix://${socketPath}`],
    cwd: folder,
    env,
    isReady: () => Promise.resolve(existsSync(socketPath)),
    log: () => ""
  })
  return {
    socketPath,
    service,
    check,
    run: (name, options) =>
      command(
        "run",
        "--detach",
        `--name=${name}`,
        ...unbound,
        ...(options?.checked === true ? healthOptions : []),
        ...(options?.env === undefined ? [] : [`--env=${options.env}`]),
        image,
        ...(options?.script === undefined ? ["/bin/sleep", String(lifetime)] : ["/bin/sh", "-c", options.script])
      ),
    touch,
    ail: (name) => Effect.andThen(touch(name, illness), check(name)),
    heal: (name) => Effect.andThen(command("exec", name, "/bin/rm", illness), check(name)),
    stop: (name) => command("stop", "--time=0", name),
    start: (name) => command("start", name),
    remove: (name) => command("rm", "--force", "--time=0", name)
  }
})

const illness = "/tmp/ill"
const healthOptions = [`--health-cmd=test ! -e ${illness}`, "--health-retries=1", "--health-interval=disable"]
/** Options of `run` for machines without cgroups, seccomp filters and containers with a network. */
export const unbound = [
  "--network=none",
  "--cgroups=disabled",
  "--security-opt=seccomp=unconfined",
  "--ulimit=nofile=1024:1024",
  "--ulimit=nproc=1024:1024"
]

/** Command line that runs Podman with all state in this folder. */
export const podmanIn = (folder: string): ReadonlyArray<string> => {
  const podman = [
    "podman",
    `--root=${join(folder, "root")}`,
    `--runroot=${join(folder, "run")}`,
    `--tmpdir=${join(folder, "tmp")}`,
    "--storage-driver=vfs",
    "--cgroup-manager=cgroupfs",
    "--events-backend=none"
  ]
  const isMixed = !existsSync("/sys/fs/cgroup/cgroup.controllers")
  const alone = `umount --recursive /sys/fs/cgroup; mount -t cgroup2 cgroup2 /sys/fs/cgroup; exec "$@"`
  return isMixed ? ["unshare", "--mount", "--propagation", "private", "sh", "-c", alone, "sh", ...podman] : podman
}

/** Imports an image with busybox, linked under the required names. Downloads nothing. */
const importImage = Effect.fnUntraced(function* (
  folder: string,
  command: (...args: ReadonlyArray<string>) => Effect.Effect<void, PeerError>
) {
  const tree = join(folder, "tree")
  yield* Effect.sync(() => {
    for (const name of ["bin", "tmp", "etc"]) mkdirSync(join(tree, name), { recursive: true })
    cpSync("/bin/busybox", join(tree, "bin/busybox"), { dereference: true })
    for (const name of ["sh", "test", "sleep", "touch", "rm", "printf", "cat"])
      symlinkSync("busybox", join(tree, "bin", name))
  })
  yield* Effect.promise(() => promisify(execFile)("tar", ["-C", tree, "-cf", join(folder, "image.tar"), "."]))
  yield* command("import", join(folder, "image.tar"), image)
})
