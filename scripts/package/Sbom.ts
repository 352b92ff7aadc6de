/**
 * Bill of materials in CycloneDX: the packages of the lockfile without those for development, as `npm sbom` lists them.
 * The serial number and the time of npm's document change with each call; ours depend on the content.
 */
import { createHash } from "node:crypto"
import { run } from "./Run.ts"

interface Bom {
  serialNumber: string
  metadata: { timestamp: string; readonly component: object; readonly tools?: unknown }
  readonly components: ReadonlyArray<object>
}

/** The document. Needs npm 10 or newer. `epoch`: seconds since 1970. */
export const billOfMaterials = (root: string, version: string, epoch: number): Bom => {
  const bom = JSON.parse(
    run("npm", ["sbom", "--sbom-format=cyclonedx", "--omit=dev", "--package-lock-only"], { cwd: root })
  ) as Bom
  return reproducible(bom, version, epoch)
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
