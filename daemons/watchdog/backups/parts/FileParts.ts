/** Which files a backup of each type contains, what is left out, samples of files, and counts of mail. */
import { createHash } from "node:crypto"
import { createReadStream, existsSync, readFileSync } from "node:fs"
import { opendir, stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import type { BackupType } from "../BackupWords.ts"
import type { BackupSettings } from "../Settings.ts"
import type { FileSample } from "./Manifest.ts"

export interface LeftOut {
  readonly what: string
  readonly reason: string
}

export interface FileParts {
  readonly customers: ReadonlyArray<string>
  readonly mail: ReadonlyArray<string>
  readonly configuration: ReadonlyArray<string>
  /** Paths inside of these that are not read. */
  readonly excludes: ReadonlyArray<string>
  readonly leftOut: ReadonlyArray<LeftOut>
}

/** The key file of stored secrets. */
export const keyFileOf = ({ dataDir, keyFile }: BackupSettings): string => keyFile ?? join(resolve(dataDir), "keys")

/** Folder for dumps and trial restores. */
export const stagingOf = ({ dataDir, stagingDir }: BackupSettings): string =>
  stagingDir ?? join(resolve(dataDir), "backup")

/** Chooses the paths. `exists`: whether a path is there. Pure. */
export const partsOf = (
  type: BackupType,
  config: BackupSettings,
  exists: (path: string) => boolean = existsSync
): FileParts => {
  const leftOut: Array<LeftOut> = []
  const present = (paths: ReadonlyArray<string>, what: string, wanted: boolean) => {
    if (!wanted) return []
    if (paths.length === 0) leftOut.push({ what, reason: "no folder is configured" })
    return paths.filter((path) => {
      if (exists(path)) return true
      leftOut.push({ what: path, reason: "does not exist" })
      return false
    })
  }
  const files = type === "full" || type === "files"
  const configuration = type === "full" || type === "configuration"
  const key = keyFileOf(config)
  const customers = present(config.customerFolders, "customer data", files)
  const mail = present(config.mailFolders, "mail", files)
  const settings = present(config.configurationPaths, "configuration", configuration)
  const certificates = present(config.certificatePaths, "certificates", configuration)
  if (configuration && !config.includeKeys)
    leftOut.push({
      what: "key of stored secrets",
      reason: "SIGNALBOX_BACKUP_INCLUDE_KEYS is off; keep a copy elsewhere"
    })
  return {
    customers,
    mail,
    configuration: [
      ...settings,
      ...certificates,
      ...(configuration && config.includeKeys ? present([key], "key of stored secrets", true) : [])
    ],
    // A folder that was configured may contain the key, our dumps, or the files of the running server.
    excludes: [
      ...(config.includeKeys ? [] : [key]),
      // The dump itself is below the first folder, so that one cannot be excluded as a whole.
      join(stagingOf(config), "drill"),
      join(resolve(config.dataDir), "backup", "cache"),
      join(resolve(config.dataDir), "postgres")
    ],
    leftOut
  }
}

/**
 * Short hashes of the keys of stored secrets. They recognise a key and tell nothing about it. A new key adds a line to
 * the file, so each line counts by itself.
 */
export const keyFingerprints = (path: string): ReadonlyArray<string> => {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => createHash("sha256").update("signalbox backup ").update(line).digest("hex").slice(0, 16))
  } catch {
    return []
  }
}

/** Maximum number of sampled files. Reason: they are read twice, and a fault of the repository concerns many files. */
const maxSamples = 100

/** Largest sampled file. Unit: bytes. */
const maxSampleSize = 16 * 1024 ** 2

/** Maximum number of entries that are looked at for samples. Reason: a mail store has millions of files. */
const maxWalked = 20_000

/** Hashes of some files, by chance. `random`: from 0 to 1. */
export const sample = async (
  paths: ReadonlyArray<string>,
  excludes: ReadonlyArray<string>,
  random: () => number = Math.random
): Promise<ReadonlyArray<FileSample>> => {
  const chosen: Array<string> = []
  let seen = 0
  for (const path of paths) {
    for await (const file of walk(path, excludes)) {
      if (++seen > maxWalked) break
      // Reservoir sampling: each of the files has the same chance.
      if (chosen.length < maxSamples) chosen.push(file)
      else {
        const at = Math.floor(random() * seen)
        if (at < maxSamples) chosen[at] = file
      }
    }
  }
  const samples: Array<FileSample> = []
  for (const path of chosen) {
    try {
      const before = await stat(path)
      if (before.size > maxSampleSize) continue
      samples.push({ path, size: before.size, changed_at: Math.floor(before.mtimeMs), sha256: await hashOf(path) })
    } catch {
      // Deleted or not readable; restic names files that it cannot read.
    }
  }
  return samples
}

export const hashOf = async (path: string): Promise<string> => {
  const hash = createHash("sha256")
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest("hex")
}

/** Number of files below a folder. */
export const countFiles = async (folder: string): Promise<number> => {
  let count = 0
  for await (const _file of walk(folder, [])) count++
  return count
}

async function* walk(path: string, excludes: ReadonlyArray<string>): AsyncGenerator<string> {
  if (excludes.includes(path)) return
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return
  if (!found.isDirectory()) {
    yield path
    return
  }
  const folder = await opendir(path).catch(() => undefined)
  if (folder === undefined) return
  for await (const entry of folder) {
    const inner = join(path, entry.name)
    if (entry.isDirectory()) yield* walk(inner, excludes)
    else if (entry.isFile() && !excludes.includes(inner)) yield inner
  }
}
