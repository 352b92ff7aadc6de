/** Archives with the same bytes whenever they have the same files: fixed order, owners, modes and times. */
import { chmodSync, lutimesSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { run } from "./Run.ts"

/** How packages are compressed. Tests take `none`, because compression takes a minute. */
export const compressions = ["xz", "none"] as const
export type Compression = (typeof compressions)[number]
export const isCompression = (text: string): text is Compression => compressions.some((one) => one === text)

/** Level of xz. Reason: level 9 needs ten times the memory to unpack, for 2 % less. */
export const xzLevel = 6

/**
 * Gives everything below `folder` the same time and one of two modes: 0755 for folders and executable files, 0644 for
 * other files. `epoch`: seconds since 1970.
 */
export const normalise = (folder: string, epoch: number): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) normalise(path, epoch)
    else if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o111) === 0 ? 0o644 : 0o755)
    lutimesSync(path, epoch, epoch)
  }
  chmodSync(folder, 0o755)
  lutimesSync(folder, epoch, epoch)
}

/** Arguments of GNU tar for a reproducible archive. Source: GNU tar manual, "Making tar archives more reproducible". */
export const tarArguments = (epoch: number): ReadonlyArray<string> => [
  "--format=gnu",
  "--sort=name",
  "--owner=0",
  "--group=0",
  "--numeric-owner",
  `--mtime=@${epoch}`
]

/** Packs `name` of `folder` into `file`. One thread: the number of threads changes the bytes of xz. */
export const pack = (options: {
  readonly folder: string
  readonly name: string
  readonly file: string
  readonly epoch: number
  readonly compression: Compression
}): void => {
  run("tar", [
    ...tarArguments(options.epoch),
    ...(options.compression === "xz" ? ["--use-compress-program", `xz -T1 -${xzLevel}`] : []),
    "-C",
    options.folder,
    "-cf",
    options.file,
    options.name
  ])
}
