// Control groups that count the processor time of process trees. A group also counts processes that nobody waits for,
// that are killed, or that leave their parent. Uses hierarchy `cpuacct` of cgroup version 1, or else version 2.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { WorkerUsage } from "./Events.ts"

const roots = ["/sys/fs/cgroup/cpuacct", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup"]

/** Makes the group of a run; undefined when this user or machine cannot. */
export const makeGroup = (name: string): string | undefined => {
  for (const root of roots) {
    const group = join(root, name)
    try {
      if (!existsSync(join(root, "cpuacct.usage")) && !existsSync(join(root, "cpu.stat"))) continue
      mkdirSync(group)
      if (readUsage(group) !== undefined) return group
      rmdirSync(group)
    } catch {
      // Not root, or a read-only mount.
    }
  }
  return undefined
}

/** Moves a process into a group, which is created. Children that it has already stay where they are. */
export const moveInto = (group: string, pid: number): void => {
  try {
    mkdirSync(group, { recursive: true })
    writeFileSync(join(group, "cgroup.procs"), String(pid))
  } catch {
    // The process has ended.
  }
}

/** Processor time of a group and the groups below it. Unit: seconds. Undefined when there is no such group. */
export const readUsage = (group: string): number | undefined => {
  const usage = read(join(group, "cpuacct.usage"))
  if (usage !== undefined) return Number(usage) / 1e9
  const stat = /^usage_usec (\d+)$/m.exec(read(join(group, "cpu.stat")) ?? "")?.[1]
  return stat === undefined ? undefined : Number(stat) / 1e6
}

/** Processor time of a group without the groups below it. Unit: seconds. */
export const readOwnUsage = (group: string): number =>
  groupsIn(group).reduce((rest, name) => rest - (readUsage(join(group, name)) ?? 0), readUsage(group) ?? 0)

/** Processor time of a worker's group, and of the groups of its child processes by cause. */
export const readWorker = (group: string): WorkerUsage => ({
  own: readOwnUsage(group),
  children: Object.fromEntries(groupsIn(group).map((cause) => [cause, readUsage(join(group, cause)) ?? 0]))
})

/** Names of the groups directly below. */
export const groupsIn = (group: string): ReadonlyArray<string> => {
  try {
    return readdirSync(group, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
  } catch {
    return []
  }
}

/** Process ids in a group, without the groups below it. */
export const processesOf = (group: string): ReadonlyArray<number> =>
  (read(join(group, "cgroup.procs")) ?? "").split("\n").filter(Boolean).map(Number)

/** Process ids in a group and in the groups below it. */
export const allProcessesOf = (group: string): ReadonlyArray<number> => [
  ...processesOf(group),
  ...groupsIn(group).flatMap((name) => allProcessesOf(join(group, name)))
]

/** Removes a group and the groups below it. Groups with running processes stay. */
export const removeGroup = (group: string): void => {
  for (const name of groupsIn(group)) removeGroup(join(group, name))
  try {
    rmdirSync(group)
  } catch {
    // A process still runs.
  }
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}
