/**
 * Bill of materials in CycloneDX: the installed packages of the lockfile that are not only for development, as
 * `npm sbom` describes them. The serial number and the time of npm's document change with each call; ours depend on the
 * content.
 */
import { createHash } from "node:crypto"
import { shippedPackages } from "./Notices.ts"
import { run } from "./Run.ts"

interface Bom {
  serialNumber: string
  metadata: { timestamp: string; readonly component: object; readonly tools?: unknown }
  readonly components: ReadonlyArray<Component>
  readonly dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn?: ReadonlyArray<string> }>
}

interface Component {
  /** Name and version, such as `effect@4.1.0`. */
  readonly "bom-ref": string
}

/** The document. Needs npm 10 or newer. `epoch`: seconds since 1970. */
export const billOfMaterials = (root: string, version: string, epoch: number): Bom => {
  // Not --omit=dev: npm 11.19 then also leaves out packages of ours that a package for development needs, too.
  const args = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"]
  const bom = JSON.parse(run("npm", args, { cwd: root })) as Bom
  return reproducible(only(bom, shippedPackages(root)), version, epoch)
}

/** The document with these packages only. Pure. `packages`: names with versions. */
export const only = (bom: Bom, packages: ReadonlySet<string>): Bom => {
  const components = bom.components.filter((component) => packages.has(component["bom-ref"]))
  const refs = new Set(components.map((component) => component["bom-ref"]))
  const dependencies = bom.dependencies.flatMap(({ dependsOn, ref }, index) =>
    // The first is the project itself.
    index === 0 || refs.has(ref) ? [{ ref, dependsOn: (dependsOn ?? []).filter((other) => refs.has(other)) }] : []
  )
  return { ...bom, components, dependencies }
}

/** The same document with a serial number made of its content. Pure. */
export const reproducible = (bom: Bom, version: string, epoch: number): Bom => {
  const timestamp = new Date(epoch * 1_000).toISOString()
  // npm names the component after the folder. Its own version does not change what is in the packages.
  const component = { ...bom.metadata.component, name: "signalbox", type: "application", version }
  const { tools: _, ...metadata } = bom.metadata
  const fixed = { ...bom, metadata: { ...metadata, timestamp, component } }
  const hash = createHash("sha256")
    .update(JSON.stringify({ ...fixed, serialNumber: "" }))
    .digest("hex")
  return { ...fixed, serialNumber: `urn:uuid:${uuidOf(hash)}` }
}

/** A UUID of version 8 (free form), from the first bits of a hexadecimal hash. Source: RFC 9562 §5.8. Pure. */
const uuidOf = (hash: string): string =>
  [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join(
    "-"
  )
