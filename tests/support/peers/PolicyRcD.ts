// Prevents apt from starting the services it installs. Debian's maintainer scripts call /usr/sbin/policy-rc.d before
// each start, and exit code 101 forbids it (invoke-rc.d, Debian Policy §9.3.3). A previous file is restored afterwards.

import { spawn, spawnSync } from "node:child_process"
import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs"

const policy = "/usr/sbin/policy-rc.d"
/** Exit code of policy-rc.d for "action forbidden by policy". */
const forbidden = 101
/** Longest wait for another installing run. Unit: seconds. */
const lockWait = 600

/** Paths of the policy and its lock; tests use their own folder. */
export interface PolicyPaths {
  readonly policy: string
  readonly lock: string
}

const defaults: PolicyPaths = { policy, lock: "/run/lock/signalbox-test-peers.lock" }

/**
 * Runs `work` while apt cannot start services. Only one run per machine at a time, so that no run restores the policy
 * while another still installs. When a killed run left its backup, the next run restores it first.
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
  // Renamed into place instead of written, because the path may be a symbolic link whose target must not change.
  writeFileSync(`${path}.new`, `#!/bin/sh\nexit ${forbidden}\n`)
  chmodSync(`${path}.new`, 0o755)
  renameSync(`${path}.new`, path)
  return restore
}

/** Takes a lock. flock holds it while its child reads our pipe, so the lock ends with this process in every case. */
const lock = (path: string): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const holder = spawn("flock", ["--timeout", String(lockWait), path, "sh", "-c", "echo held; exec cat >/dev/null"], {
      stdio: ["pipe", "pipe", "inherit"]
    })
    holder.once("error", reject)
    holder.stdout.once("data", () => resolve(() => void holder.stdin.end()))
    holder.once("exit", (code) => reject(new Error(`another run still installs packages (flock ended with ${code})`)))
  })
