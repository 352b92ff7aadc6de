/** Builds packages for tests. */
import { execFile } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"

export const root = join(import.meta.dirname, "../../..")

const pinned = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)(join(root, "bin/pinned-node"), args, { cwd: root, env: { ...process.env, ...env } })

/** Runs `npm run package` without compression into a folder. Returns the names of its files. */
export const buildPackages = async (
  folder: string,
  args: ReadonlyArray<string> = [],
  env: Readonly<Record<string, string>> = {}
): Promise<ReadonlyArray<string>> => {
  await pinned(["scripts/package.ts", "--out", folder, "--compression", "none", ...args], env)
  return readdirSync(folder).sort()
}

/** The Debian package of a next version, whose migration is additive or not. Returns the file. */
export const buildNextVersion = async (
  folder: string,
  version: string,
  kind: "additive" | "breaking"
): Promise<string> => {
  const dist = join(folder, "dist")
  await pinned([join(import.meta.dirname, "nextVersion.ts"), dist, version, kind])
  const out = join(folder, "packages")
  await buildPackages(out, ["--dist", dist, "--as", version, "--debian"])
  return debianIn(out)
}

/** The Debian package in a folder. */
export const debianIn = (folder: string): string => {
  const name = readdirSync(folder).find((file) => file.endsWith(".deb"))
  if (name === undefined) throw new Error(`${folder} has no Debian package`)
  return join(folder, name)
}
