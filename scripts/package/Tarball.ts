/** The program as a tarball: unpack it anywhere, and run `bin/signalbox up`. */
import { basename, dirname, join } from "node:path"
import { pack } from "./Archive.ts"
import type { PackageOptions } from "./Program.ts"

/** Packs the staged program. Returns the file. */
export const makeTarball = (options: PackageOptions, program: string): string => {
  const ending = options.compression === "xz" ? "tar.xz" : "tar"
  const file = join(options.out, `signalbox-${options.version}-linux-${options.architecture.node}.${ending}`)
  pack({ ...options, folder: dirname(program), name: basename(program), file })
  return file
}
