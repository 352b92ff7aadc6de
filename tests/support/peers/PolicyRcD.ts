// Keeps apt from starting the services it installs: Debian's maintainer scripts ask /usr/sbin/policy-rc.d before each
// start, and exit code 101 forbids it (invoke-rc.d, Debian Policy §9.3.3). What was there before is put back.

import { spawn, spawnSync } from "node:child_process"
import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs"

const policy = "/usr/sbin/policy-rc.d"
/** Exit code of policy-rc.d for "action forbidden by policy". */
const forbidden = 101
/** How long to wait for another run that installs. Unit: seconds. */
const lockWait = 600

/** Where the policy lives; a test gives a folder of its own. */
export interface PolicyPaths {
  readonly policy: string
  readonly lock: string
}

const defaults: PolicyPaths = { policy, lock: "/run/lock/signalbox-test-peers.lock" }

/**
 * Runs `work` while no service can be started by apt. One run of a machine at a time, so that none restores the policy
 * while another still installs. A run that was killed left its backup behind: the next one puts that back first.
 */
export const withoutServiceStarts = async <A>(work: () => Promise<A>, paths: PolicyPaths = defaults): Promise<A> => {
  const unlock = await lock(paths.lock)
  const restore = forbid(paths.policy)
  const onSignal = (signal: NodeJS.Signals) => {
    restore()
    process.kill(process.pid, signal)
  }
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal)
  try {
    return await work()
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal)
    restore()
    unlock()
  }
}

const forbid = (path: string): (() => void) => {
  const backup = `${path}.before-signalbox-tests`
  const absent = `${path}.absent-before-signalbox-tests`
  const restore = () => {
    if (existsSync(backup)) renameSync(backup, path)
    if (existsSync(absent)) {
      rmSync(path, { force: true })
      rmSync(absent)
    }
  }
  restore()
  if (existsSync(path) && spawnSync(path, ["signalbox", "start"]).status === forbidden) return () => {}
  if (existsSync(path)) copyFileSync(path, backup)
  else writeFileSync(absent, "")
  // Never written in place: a symbolic link there must not have its target changed.
  writeFileSync(`${path}.new`, `#!/bin/sh\nexit ${forbidden}\n`)
  chmodSync(`${path}.new`, 0o755)
  renameSync(`${path}.new`, path)
  return restore
}

/**
 * flock holds the lock for as long as its child reads our pipe, so the lock ends with this process, however it ends.
 */
const lock = (path: string): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const holder = spawn("flock", ["--timeout", String(lockWait), path, "sh", "-c", "echo held; exec cat >/dev/null"], {
      stdio: ["pipe", "pipe", "inherit"]
    })
    holder.once("error", reject)
    holder.stdout.once("data", () => resolve(() => void holder.stdin.end()))
    holder.once("exit", (code) => reject(new Error(`another run still installs packages (flock ended with ${code})`)))
  })
