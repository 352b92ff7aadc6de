/**
 * The Debian package. It owns `/usr/lib/signalbox/package`; its postinst links these files into a folder of the
 * version, `/usr/lib/signalbox/versions/VERSION`, and turns the link `/usr/lib/signalbox/current`. Running daemons load
 * parts of their program late, so the folder of their version must stay during and after an upgrade.
 */
import { createHash } from "node:crypto"
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { normalise, xzLevel } from "./Archive.ts"
import type { PackageOptions } from "./Program.ts"
import { run } from "./Run.ts"

/** Folder of the program in units of the checkout, and in those of the package. */
const unitPaths = { checkout: "/opt/signalbox/", installed: "/usr/lib/signalbox/current/" } as const

/** Scripts of the package by their name in Debian. */
const maintainerScripts = ["preinst", "postinst", "prerm", "postrm"] as const

/**
 * Packages that the program needs. libstdc++6: Node. systemd: the user of the units, and systemd-notify. util-linux:
 * setpriv starts Postgres. The versions are those of Debian 12, on which the packages are tested.
 */
const depends = "libc6 (>= 2.36), libgcc-s1, libstdc++6, systemd (>= 252), util-linux"

/** Programs of optional features: backups, speech. */
const suggests = "restic, espeak-ng, ffmpeg, postgresql"

/** Builds the package of the staged program. Returns the file. */
export const makeDebianPackage = (options: PackageOptions, program: string): string => {
  const { architecture, compression, epoch, out, root, version } = options
  const tree = join(out, "debian")
  const share = join(tree, "usr/share")
  const documents = join(share, "doc/signalbox")
  const installed = join(tree, "usr/lib/signalbox/package")
  mkdirSync(documents, { recursive: true })
  // Links in place of copies of 300 MB: no content changes, and all get the same modes and times.
  mkdirSync(dirname(installed), { recursive: true })
  run("cp", ["-al", program, installed])

  // Manual pages and completions belong to other folders than the program.
  cpSync(join(installed, "share"), share, { recursive: true })
  rmSync(join(installed, "share"), { recursive: true })
  const manual = join(share, "man/man1")
  for (const name of readdirSync(manual)) compress(join(manual, name))

  const units = join(tree, "usr/lib/systemd/system")
  mkdirSync(units, { recursive: true })
  for (const name of readdirSync(join(root, "systemd")))
    if (/\.(service|socket|target)$/.test(name))
      writeFileSync(join(units, name), installedUnit(readFileSync(join(root, "systemd", name), "utf8")))
  put(join(tree, "usr/lib/sysusers.d/signalbox.conf"), readFileSync(join(root, "systemd/signalbox.sysusers.conf")))
  link("../lib/signalbox/current/bin/signalbox", join(tree, "usr/bin/signalbox"))

  cpSync(join(root, "config/signalbox.env.example"), join(documents, "signalbox.env.example"))
  put(join(share, "signalbox/signalbox.env"), readFileSync(join(import.meta.dirname, "debian/signalbox.env")))
  put(join(documents, "copyright"), copyright(readFileSync(join(root, "LICENSE"), "utf8")))
  put(join(documents, "changelog"), readFileSync(join(root, "CHANGELOG.md")))
  compress(join(documents, "changelog"))
  link("../../../lib/signalbox/package/docs", join(documents, "docs"))

  const control = join(tree, "DEBIAN")
  put(join(control, "md5sums"), checksums(tree))
  put(
    join(control, "control"),
    [
      "Package: signalbox",
      `Version: ${version}`,
      `Architecture: ${architecture.debian}`,
      "Maintainer: Signalbox <signalbox@localhost>",
      `Installed-Size: ${Math.ceil(sizeOf(tree) / 1024)}`,
      `Depends: ${depends}`,
      `Suggests: ${suggests}`,
      "Section: net",
      "Priority: optional",
      "Description: alarms, mail and telephony for a small provider",
      " Daemons that run beside a mail server and a telephone switch. They deliver",
      " alarms by telephone, messenger and webhook, watch mailboxes, and manage mail",
      " domains, telephony, DNS and backups. Node and Postgres are inside.",
      ""
    ].join("\n")
  )
  for (const name of maintainerScripts) {
    const text = readFileSync(join(import.meta.dirname, "debian", name), "utf8")
    put(join(control, name), text.replaceAll("@VERSION@", version))
    chmodSync(join(control, name), 0o755)
  }
  normalise(tree, epoch)
  const file = join(out, `signalbox_${version}_${architecture.debian}.deb`)
  run(
    "dpkg-deb",
    ["--root-owner-group", "--threads-max=1", ...compressionArguments(compression), "--build", tree, file],
    { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) } }
  )
  rmSync(tree, { recursive: true })
  return file
}

const compressionArguments = (compression: PackageOptions["compression"]): ReadonlyArray<string> =>
  compression === "none" ? ["-Znone"] : [`-Z${compression}`, `-z${xzLevel}`]

/** The text of a systemd unit, with the paths of the installed package in place of those of a checkout. Pure. */
export const installedUnit = (text: string): string => text.replaceAll(unitPaths.checkout, unitPaths.installed)

const put = (path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

const link = (target: string, path: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

/** Replaces the file by a compressed one. */
const compress = (path: string): void => {
  writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
  rmSync(path)
}

const filesBelow = (folder: string, under = ""): ReadonlyArray<string> =>
  readdirSync(join(folder, under), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = under === "" ? entry.name : `${under}/${entry.name}`
      return entry.isDirectory() ? filesBelow(folder, path) : entry.isFile() ? [path] : []
    })

/** The file md5sums, which `dpkg --verify` reads. */
const checksums = (tree: string): string =>
  filesBelow(tree)
    .map(
      (path) =>
        `${createHash("md5")
          .update(readFileSync(join(tree, path)))
          .digest("hex")}  ${path}\n`
    )
    .join("")

const sizeOf = (tree: string): number =>
  filesBelow(tree).reduce((sum, path) => sum + statSync(join(tree, path)).size, 0)

/** Source: Debian Policy, "Machine-readable debian/copyright file". */
const copyright = (license: string): string =>
  [
    "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
    "Upstream-Name: Signalbox",
    "Comment: Software of third parties and its licences: /usr/lib/signalbox/package/THIRD-PARTY-NOTICES.txt",
    "",
    "Files: *",
    `Copyright: ${/^Copyright (?:\(c\) )?(.*)$/m.exec(license)?.[1] ?? "the authors of Signalbox"}`,
    "License: MIT",
    ...license
      .trim()
      .split("\n")
      .map((line) => (line.trim() === "" ? " ." : ` ${line}`)),
    ""
  ].join("\n")
