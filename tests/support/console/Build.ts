/** The built console that comm-dispatcher serves. Rebuilt when a source file is newer. */
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { buildAlone } from "../BuildLock.ts"

const root = join(import.meta.dirname, "../../..")
const target = join(root, "dist/console")
const page = join(target, "index.html")

/** Folders whose code is in the build. From other folders the console imports only types. */
const folders = ["console", "protocols/wake-word"]

/** Modification time of the newest source. Unit: epoch milliseconds. */
const changedAt = (): number =>
  Math.max(
    statSync(join(root, "scripts/buildConsole.ts")).mtimeMs,
    ...folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).map(
        (entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs
      )
    )
  )

const isUpToDate = (): boolean => existsSync(page) && statSync(page).mtimeMs >= changedAt()

/**
 * Builds the console when it is not up to date. A process of its own looks again under the lock and builds
 * (BuildConsole.ts).
 */
export const ensureConsole = (): void => {
  if (isUpToDate()) return
  buildAlone(process.execPath, [join(import.meta.dirname, "BuildConsole.ts")], ["ignore", "ignore", "pipe"])
}

/** Builds in a separate folder and renames it into place, because other test processes may read the old build. */
export const buildOutdated = (): void => {
  if (isUpToDate()) return
  const began = new Date()
  const [fresh, old] = [`${target}.new-${process.pid}`, `${target}.old-${process.pid}`]
  try {
    execFileSync(process.execPath, [join(root, "scripts/buildConsole.ts"), fresh], {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"]
    })
    // Dates the build at its start, because it may miss later changes.
    utimesSync(join(fresh, "index.html"), began, began)
    if (existsSync(target)) renameSync(target, old)
    renameSync(fresh, target)
  } finally {
    for (const path of [fresh, old]) rmSync(path, { recursive: true, force: true })
  }
}
