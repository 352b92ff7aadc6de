// Installs missing peers on Debian as root. On other systems, and for ordinary users, it only prints what to install.
// Starts no service and removes no package.

import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { chooseMirror, listMirrors, type NewerDebian } from "./NewerDebian.ts"
import {
  type Availability,
  decideAvailability,
  findPeer,
  installCommand,
  packagesOf,
  type PeerGroup,
  type PeerName,
  peerNames,
  peers
} from "./Peers.ts"
import { withoutServiceStarts } from "./PolicyRcD.ts"

export type { Availability, PeerGroup, PeerName } from "./Peers.ts"

/** Result of `ensurePeers`. */
export interface PeerReport {
  readonly installed: ReadonlyArray<string>
  /** Peers still missing, each with a sentence about the necessary action. */
  readonly missing: ReadonlyArray<{ readonly name: PeerName; readonly reason: string }>
}

/** Properties of the host that decide about installing. */
export interface Host {
  readonly isRoot: boolean
  readonly isDebian: boolean
}

/** Action for missing packages. `sentence`: printed when nothing can be installed. */
export type InstallPlan =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Install"; readonly packages: ReadonlyArray<string> }
  | { readonly _tag: "Tell"; readonly sentence: string }

/**
 * Longest time of one apt-get call. Unit: milliseconds. Reason: five packages took 20 s; a slow mirror takes ten times
 * that.
 */
const aptTimeout = 5 * 60_000
/**
 * Time that apt waits for a different apt or dpkg process. Unit: seconds. Reason: an unattended upgrade takes a few
 * minutes.
 */
const dpkgLockTimeout = 180
/**
 * Attempts of one apt-get call. Reason: apt does not wait for the lock of the package lists, and mirrors fail at times.
 */
const aptAttempts = 4
/** Pause between attempts. Unit: milliseconds. */
const aptPause = 5_000

/**
 * Longest time to create a folder with a newer Debian, including the wait for another run. Unit: milliseconds. Source:
 * newerDebian.sh.
 */
const folderTimeout = 20 * 60_000

/** Decides what to do about missing peers. Pure. */
export const planInstall = (missing: ReadonlyArray<PeerName>, host: Host): InstallPlan => {
  if (missing.length === 0) return { _tag: "Nothing" }
  const packages = packagesOf(missing)
  if (host.isRoot && host.isDebian) return { _tag: "Install", packages }
  const why = host.isDebian
    ? "only root can install them"
    : "this is not Debian, so they are not installed by themselves"
  return { _tag: "Tell", sentence: `tests need ${missing.join(", ")}; ${why}: ${installCommand(missing)}` }
}

/**
 * Makes the peers of these groups available if possible: as root on Debian it installs missing packages. A missing peer
 * is no error here. The affected tests skip, or fail when `CI` is set (`requirePeer`).
 */
export const ensurePeers = async (
  groups: ReadonlyArray<PeerGroup>,
  say: (line: string) => void = (line) => void process.stderr.write(`${line}\n`)
): Promise<PeerReport> => {
  const wanted = peerNames.filter((name) => groups.includes(peers[name].group))
  const missing = wanted.filter((name) => findPeer(name) === undefined)
  const plan = planInstall(missing, { isRoot: isRoot(), isDebian: existsSync("/etc/debian_version") })
  let installed: ReadonlyArray<string> = []
  if (plan._tag === "Tell") say(`peers: ${plan.sentence}`)
  if (plan._tag === "Install") {
    say(`peers: installing ${plan.packages.join(" ")} (no service is started)`)
    try {
      await install(plan.packages)
      installed = plan.packages
      say("peers: installed")
      for (const name of missing) {
        const newer = peers[name].newer
        if (newer === undefined) continue
        say(
          `peers: making ${newer.folder}, a Debian ${newer.release} with ${newer.packages.join(" ")} (once; about half a minute)`
        )
        await makeFolder(newer, peers[name].program)
        say("peers: made")
      }
    } catch (error) {
      say(`peers: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return {
    installed,
    missing: wanted.flatMap((name) => {
      const found = availability(name)
      return found.available ? [] : [{ name, reason: found.reason }]
    })
  }
}

/** Whether a peer is usable here. */
export const availability = (name: PeerName): Availability => decideAvailability(name, findPeer(name), isRoot())

/** Like `availability`, for tests: with `CI` set an unusable peer is an error instead of a reason to skip. */
export const requirePeer = (name: PeerName): Availability => {
  const found = availability(name)
  if (!found.available && (process.env["CI"] ?? "") !== "")
    throw new Error(`CI is set, so nothing is skipped: ${found.reason}`)
  return found
}

const isRoot = (): boolean => process.getuid?.() === 0

const install = async (packages: ReadonlyArray<string>): Promise<void> => {
  await withoutServiceStarts(async () => {
    await aptGet(["update"])
    if (packages.includes("postfix")) {
      const answers = "postfix postfix/main_mailer_type select No configuration\n"
      await succeed("debconf-set-selections", [], answers)
    }
    if (packages.includes("crowdsec")) avoidRegistration()
    // With --no-remove apt fails instead of removing a different mail server of this machine.
    await aptGet(["install", "--yes", "--no-install-recommends", "--no-remove", ...packages])
  })
}

/**
 * Its package registers the machine at a server of its maker, unless this file has content, and its installation fails
 * without network. Source: postinst of crowdsec 1.4.6-6.
 */
const crowdsecRegistration = "/etc/crowdsec/online_api_credentials.yaml"

const avoidRegistration = (): void => {
  mkdirSync(dirname(crowdsecRegistration), { recursive: true })
  if (existsSync(crowdsecRegistration) && statSync(crowdsecRegistration).size > 0) return
  writeFileSync(crowdsecRegistration, "# Tests register at no server.\n")
}

const makeFolder = async (newer: NewerDebian, program: string): Promise<void> => {
  const codename = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? ""
  const [list, ...args] = listMirrors
  const mirror = chooseMirror((await run(list, args)).output, codename)
  if (mirror === undefined) throw new Error("apt's sources name no Debian mirror to take a newer Debian from")
  const script = join(import.meta.dirname, "newerDebian.sh")
  await succeed(
    script,
    [newer.folder, newer.release, mirror, program.slice(newer.folder.length + 1), newer.packages.join(",")],
    "",
    folderTimeout
  )
}

const aptGet = async (args: ReadonlyArray<string>): Promise<void> => {
  const options = [
    "-q",
    "-o",
    `DPkg::Lock::Timeout=${dpkgLockTimeout}`,
    "-o",
    "Acquire::Retries=3",
    "-o",
    "Dpkg::Options::=--force-confold"
  ]
  for (let attempt = 1; ; attempt++) {
    const result = await run("apt-get", [...options, ...args])
    if (result.code === 0) return
    const busy =
      /Could not get lock|Unable to (lock|acquire)|is another process using it|Failed to fetch|Temporary failure/i.test(
        result.output
      )
    if (!busy || attempt === aptAttempts) {
      throw new Error(
        `apt-get ${args.join(" ")} ended with ${result.code}: ${result.output.trim().split("\n").slice(-4).join(" | ")}`
      )
    }
    await new Promise((resolve) => setTimeout(resolve, aptPause))
  }
}

const succeed = async (
  command: string,
  args: ReadonlyArray<string>,
  input: string,
  timeout?: number
): Promise<void> => {
  const result = await run(command, args, input, timeout)
  if (result.code !== 0) throw new Error(`${command} ended with ${result.code}: ${result.output.trim()}`)
}

const run = (
  command: string,
  args: ReadonlyArray<string>,
  input = "",
  timeout = aptTimeout
): Promise<{ readonly code: number | string; readonly output: string }> =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C.UTF-8" },
      stdio: ["pipe", "pipe", "pipe"]
    })
    let output = ""
    const timer = setTimeout(() => void child.kill("SIGTERM"), timeout)
    const finish = (code: number | string) => {
      clearTimeout(timer)
      resolve({ code, output })
    }
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()))
    child.on("error", (error) => {
      output += error.message
      finish("no start")
    })
    child.on("close", (code, signal) => finish(code ?? signal ?? "no exit code"))
    child.stdin.on("error", () => {})
    child.stdin.end(input)
  })
