// Import rules: which folder may import which, and which packages are forbidden. Pure: takes texts, returns violations,
// reads no file. Type imports count like value imports.
// - daemons import core and protocols, never another daemon.
// - core imports only protocols/systemd.
// - protocols import only files of their own folder, of protocols/http and of protocols/local-listener.
// - The console imports only types: of the daemons' Api.ts and of /health, in one file. Its wake-word library also
//   imports protocols/wake-word, whose engine runs in browsers too.

import { posix } from "node:path"
import { type Import, importsOf } from "./Imports.ts"

/** One source file: path from the root of the project with forward slashes, and its text. */
export interface SourceText {
  readonly path: string
  readonly text: string
}

/** One line that breaks a rule. */
export interface Violation {
  readonly file: string
  readonly line: number
  /** What is wrong and what to do instead. */
  readonly message: string
}

/** Every import in these files that breaks a rule, in the order of the files. */
export const scanArrows = (files: ReadonlyArray<SourceText>): ReadonlyArray<Violation> => {
  const features = featuresOf(files)
  return files.flatMap((file) =>
    importsOf(file.text).flatMap((found) => {
      const to = importTarget(file.path, found.specifier)
      const message =
        forbiddenPackage(found) ?? forbiddenArrow(file.path, to) ?? forbiddenFeature(features, file.path, to)
      return message === undefined ? [] : [{ file: file.path, line: found.line, message }]
    })
  )
}

/** Feature folders below daemons/, as `daemons/<daemon>/<feature>`. A folder with a Feature.ts declares a feature. */
const featuresOf = (files: ReadonlyArray<SourceText>): ReadonlySet<string> =>
  new Set(files.flatMap(({ path }) => /^(daemons\/[^/]+\/[^/]+)\/Feature\.ts$/.exec(path)?.[1] ?? []))

const folderOf = (path: string): string => path.split("/").slice(0, 3).join("/")

/** Other features import only the `Exports.ts` of a feature. Only the daemon's own files import its `Feature.ts`. */
const forbiddenFeature = (features: ReadonlySet<string>, from: string, to: string | undefined): string | undefined => {
  if (to === undefined || !from.startsWith("daemons/")) return undefined
  const feature = folderOf(to)
  if (!features.has(feature) || folderOf(from) === feature || to === `${feature}/Exports.ts`) return undefined
  const parts = from.split("/")
  if (parts.length === 3 && to === `${feature}/Feature.ts`) return undefined
  if (
    (from === "daemons/Commands.ts" || (parts.length === 3 && parts[2] === "Commands.ts")) &&
    to === `${feature}/Commands.ts`
  )
    return undefined
  return `${from} imports ${to}: another feature is entered by its Exports.ts only`
}

/** `file:line: message`, the form that editors and terminals link. */
export const formatViolation = (violation: Violation): string =>
  `${violation.file}:${violation.line}: ${violation.message}`

/** Path inside the project that an import resolves to; undefined for packages and Node modules. */
export const importTarget = (from: string, specifier: string): string | undefined => {
  if (specifier.startsWith(".")) return posix.normalize(posix.join(posix.dirname(from), specifier))
  if (specifier.startsWith("#support/")) return `tests/support/${specifier.slice("#support/".length)}`
  return specifier.startsWith("#") ? specifier.slice(1) : undefined
}

const forbiddenPackage = ({ specifier }: Import): string | undefined => {
  if (/^effect\/unstable(\/|$)/.test(specifier))
    return `${specifier} does not exist in this version of effect: import effect/http, effect/sql, effect/cluster and so on`
  const moved = /^@effect\/(platform|schema|sql|cluster)(\/|$)/.exec(specifier)
  return moved === null
    ? undefined
    : `${specifier} belongs to Effect 3: since version 4 it is part of effect (effect/${moved[1] === "schema" ? "Schema" : moved[1] === "platform" ? "http" : moved[1]})`
}

/** Folders with what several protocols share: HTTP, and listening for programs of this machine. */
const shared = new Set(["http", "local-listener"])

const forbiddenArrow = (from: string, to: string | undefined): string | undefined => {
  if (to === undefined || to.split("/").includes("node_modules")) return undefined
  const [fromRoom, fromFolder] = from.split("/")
  const [toRoom, toFolder] = to.split("/")
  switch (fromRoom) {
    case "core":
      // package.json has the version.
      if (toRoom === "core" || (toRoom === "protocols" && toFolder === "systemd") || to === "package.json")
        return undefined
      return toRoom === "protocols"
        ? `core imports protocols/${toFolder}: core may import protocols/systemd only; take it as a service and let the daemon pass it in`
        : `core imports ${toRoom}: core stands below it; move what is needed into core`
    case "protocols":
      if (toRoom === "protocols" && (toFolder === fromFolder || shared.has(toFolder ?? ""))) return undefined
      return toRoom === "protocols"
        ? `protocols/${fromFolder} imports protocols/${toFolder}: protocols import only ${[...shared].map((folder) => `protocols/${folder}`).join(" and ")} of each other; let the daemon put them together`
        : `protocols/${fromFolder} imports ${toRoom}: a protocol imports effect, Node and the library of its wire; pass values in instead`
    case "daemons":
      return forbiddenForDaemon(from, fromFolder ?? "", toRoom, toFolder ?? "")
    case "console":
      // The console imports its own files, and types of the daemons' answers in one file.
      if (
        toRoom === "console" ||
        (fromFolder === "wake-word" && toRoom === "protocols" && toFolder === "wake-word") ||
        (from === "console/lib/Endpoints.ts" &&
          ((toRoom === "daemons" && to.endsWith("/Api.ts")) || to === "core/daemon/Health.ts"))
      )
        return undefined
      return `the console imports ${to}: it runs in a browser; take what is needed from console/lib/Endpoints.ts, which reads the types of each daemon's Api.ts`
    default:
      return undefined
  }
}

/** Files directly under daemons/ (the list, the executable) assemble the daemons and may import all of them. */
const forbiddenForDaemon = (
  from: string,
  daemon: string,
  toRoom: string | undefined,
  toFolder: string
): string | undefined => {
  if (toRoom === "core" || toRoom === "protocols" || toRoom === "package.json" || toRoom === "config") return undefined
  if (toRoom !== "daemons") return `a daemon imports ${toRoom}: daemons import core and protocols only`
  const assembles = from.split("/").length === 2
  if (assembles || toFolder === daemon) return undefined
  return `daemons/${daemon} imports daemons/${toFolder}: daemons never import each other; talk by an event or a job with a schema of core/contracts`
}
