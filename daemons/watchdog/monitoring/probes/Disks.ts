/** Checks of file systems: used space with a forecast, and used inodes. */
import { readFile, statfs } from "node:fs/promises"
import { Effect } from "effect"
import { codeOf } from "#core/probes/Finding.ts"
import type { BuiltCheck, Reading, Source } from "../BuiltCheck.ts"
import { type FillLevel, forecast, withLevel } from "../Forecast.ts"
import { say } from "../words/Said.ts"

/** Unit: percent. Source of the first: interface document 3 §2.5. */
const fullness = { direction: "above", warning: 85, critical: 95 } as const

/** A disk that is full within this time is a warning. Unit: hours. Reason: the next working day is in time. */
const forecastWithin = 24

/** Interval of the fill levels that are kept. Unit: milliseconds. Reason: 72 levels in the time that is looked back. */
const levelStep = 300_000

export interface Mount {
  readonly path: string
  /** Major and minor number of the device. */
  readonly device: string
  readonly type: string
  readonly readOnly: boolean
}

/** Decodes /proc/self/mountinfo. Pure. Source: proc_pid_mountinfo(5). */
export const parseMounts = (text: string): ReadonlyArray<Mount> =>
  text.split("\n").flatMap((line) => {
    const [before, after] = line.split(" - ", 2)
    const [, , device, , path] = before?.split(" ") ?? []
    const [type, , options] = after?.split(" ") ?? []
    if (device === undefined || path === undefined || type === undefined) return []
    const plain = path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    // These are the options of the file system. Those of the mount say `ro` for every path inside a sandbox.
    return [{ path: plain, device, type, readOnly: options?.split(",").includes("ro") ?? false }]
  })

/** File systems on local disks. A network file system may hang: an operator names it, where it should be checked. */
const onDisks = new Set(["ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "jfs", "reiserfs", "bcachefs", "vfat"])

/** One path for each writable file system on a disk: the shortest. Pure. */
export const disksOf = (mounts: ReadonlyArray<Mount>): ReadonlyArray<string> => {
  const shortest = new Map<string, string>()
  for (const { device, path, readOnly, type } of mounts) {
    // In a container the root is an overlay over a disk of the host.
    if (readOnly || !(onDisks.has(type) || (type === "overlay" && path === "/"))) continue
    const known = shortest.get(device)
    if (known === undefined || path.length < known.length) shortest.set(device, path)
  }
  return [...shortest.values()].toSorted()
}

export interface Space {
  /** Units: bytes. */
  readonly size: number
  readonly free: number
  /** What a user without privileges may still write. */
  readonly available: number
  readonly inodes: number
  readonly freeInodes: number
}

/** Reading of the used space. `levels`: fill levels so far. Pure. */
export const judgeSpace = (space: Space, levels: ReadonlyArray<FillLevel>): Reading => {
  const used = space.size - space.free
  // As df: blocks that only root may use are neither used nor available.
  const share = percent(used, used + space.available)
  const trend = forecast(levels, space.available)
  const hours = trend === undefined ? null : Math.max(1, Math.round(trend.hours))
  const said = say("disk", { share, available_bytes: space.available, size_bytes: space.size, full_in_hours: hours })
  const measurements = { size_bytes: space.size, used_bytes: used, available_bytes: space.available }
  if (trend === undefined) return { value: share, ...said, measurements }
  return {
    value: share,
    ...said,
    measurements: { ...measurements, full_in_hours: trend.hours, growth_bytes_per_hour: trend.rate },
    ...(trend.hours < forecastWithin ? { status: "warning" } : {})
  }
}

/** Reading of the used inodes; some file systems have no fixed number. Pure. */
export const judgeInodes = ({ freeInodes, inodes }: Space): Reading => {
  if (inodes === 0) return { value: null, ...say("no_inode_limit", {}) }
  const share = percent(inodes - freeInodes, inodes)
  return {
    value: share,
    ...say("inodes", { share, inodes }),
    measurements: { inodes, used_inodes: inodes - freeInodes }
  }
}

const percent = (part: number, whole: number): number => (whole <= 0 ? 0 : (100 * part) / whole)

const spaceOf = (path: string) =>
  Effect.tryPromise({
    try: async (): Promise<Space> => {
      const found = await statfs(path)
      return {
        size: found.blocks * found.bsize,
        free: found.bfree * found.bsize,
        available: found.bavail * found.bsize,
        inodes: found.files,
        freeInodes: found.ffree
      }
    },
    catch: codeOf
  })

const checksOf = (host: string, path: string, levels: Map<string, ReadonlyArray<FillLevel>>) => {
  const group = `host ${host}`
  const shared = { group, unit: "percent", thresholds: fullness, version: path, whenTimedOut: "critical" } as const
  const gone = (code: string): Effect.Effect<Reading> =>
    Effect.succeed({ value: null, status: "critical", ...say("unreadable", { error: code }) })
  return [
    {
      ...shared,
      key: `${host} disk ${path}`,
      kind: "disk",
      probe: Effect.matchEffect(spaceOf(path), {
        onFailure: gone,
        onSuccess: (space) =>
          Effect.sync(() => {
            const level = { at: Date.now(), used: space.size - space.free }
            const known = withLevel(levels.get(path) ?? [], level, levelStep)
            levels.set(path, known)
            return judgeSpace(space, known)
          })
      })
    },
    {
      ...shared,
      key: `${host} inodes ${path}`,
      kind: "inodes",
      probe: Effect.matchEffect(spaceOf(path), {
        onFailure: gone,
        onSuccess: (space) => Effect.succeed(judgeInodes(space))
      })
    }
  ] satisfies ReadonlyArray<BuiltCheck>
}

/** `named`: further paths, which must exist. */
export const disks = (host: string, named: ReadonlyArray<string>): Source => {
  const levels = new Map<string, ReadonlyArray<FillLevel>>()
  return {
    name: "disks",
    kinds: ["disk", "inodes"],
    scope: "host",
    discover: () =>
      Effect.tryPromise(() => readFile("/proc/self/mountinfo", "utf8")).pipe(
        Effect.map((text) =>
          [...new Set([...disksOf(parseMounts(text)), ...named])].flatMap((path) => checksOf(host, path, levels))
        ),
        Effect.orElseSucceed(() => undefined)
      )
  }
}
