/**
 * The image for containers: a minimal Debian made by mmdebstrap, and the staged program. Needs root, podman and
 * mmdebstrap. The format is Docker's, because that of OCI has no health check.
 */
import { appendFileSync, chmodSync, chownSync, cpSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { normalise } from "./Archive.ts"
import type { PackageOptions } from "./Program.ts"
import { run } from "./Run.ts"

/** Release of Debian. */
const release = "bookworm"

/** Packages beside the essential ones. libstdc++6: Node. ca-certificates: TLS. tzdata: schedules in local time. */
const packages = ["ca-certificates", "libstdc++6", "tzdata"] as const

/** User and group of the program. Reason: above all accounts of Debian. */
export const imageUser = 10_001

/** Files that a container never reads. */
const excluded = ["/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*"]

/** Builds the image `localhost/signalbox:VERSION`, and stores it as a file. Returns the file. */
export const makeImage = (options: PackageOptions, program: string): string => {
  const { architecture, epoch, out, version } = options
  const context = join(out, "image")
  mkdirSync(context)
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(epoch) }
  const base = join(context, "debian")
  run(
    "mmdebstrap",
    [
      "--quiet",
      "--mode=root",
      "--format=directory",
      "--variant=essential",
      ...excluded.map((path) => `--dpkgopt=path-exclude=${path}`),
      `--include=${packages.join(",")}`,
      release,
      base
    ],
    { env }
  )
  const account = `signalbox:x:${imageUser}:`
  appendFileSync(join(base, "etc/passwd"), `${account}${imageUser}:Signalbox:/var/lib/signalbox:/usr/sbin/nologin\n`)
  appendFileSync(join(base, "etc/group"), `${account}\n`)
  const data = join(base, "var/lib/signalbox")
  mkdirSync(data)
  chmodSync(data, 0o700)
  chownSync(data, imageUser, imageUser)
  run("tar", [
    "--format=gnu",
    "--sort=name",
    "--numeric-owner",
    `--mtime=@${epoch}`,
    "--clamp-mtime",
    "-C",
    base,
    "-cf",
    `${base}.tar`,
    "."
  ])
  rmSync(base, { recursive: true })
  cpSync(program, join(context, "signalbox"), { recursive: true, preserveTimestamps: true })
  cpSync(join(import.meta.dirname, "Containerfile"), join(context, "Containerfile"))
  normalise(join(context, "signalbox"), epoch)

  const tag = `localhost/signalbox:${version}`
  run("podman", [
    "build",
    "--format=docker",
    `--timestamp=${epoch}`,
    `--arch=${architecture.debian}`,
    `--tag=${tag}`,
    context
  ])
  const file = join(out, `signalbox-${version}-image-${architecture.node}.tar`)
  run("podman", ["save", "--format=docker-archive", `--output=${file}`, tag])
  rmSync(context, { recursive: true })
  return file
}
