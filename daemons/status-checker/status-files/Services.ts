/**
 * Decodes SERVICES_FILE: components and their checks. Pure. Source of all fields except `checks`: interface document 3
 * §2.1.
 */
import { Result, Schema } from "effect"
import type { Probe } from "../status/Probe.ts"
import type { Component } from "../status/Model.ts"
import { decodeCheck } from "./Checks.ts"
import { Id, line, maxName, optional } from "../status/Fields.ts"
import { listIn } from "./ListInFile.ts"
import { decoder, type Decoded, quoted } from "./FileDecoder.ts"

/** Largest file. Unit: bytes. Reason: 500 components with checks take a tenth of it. */
export const maxServicesFile = 1024 * 1024

/** Maximum number of components. Unit: components. Reason: people read the page. */
export const maxComponents = 500

/** Maximum number of checks of one component. Unit: checks. */
export const maxChecks = 20

/** Source: Docker's rule for container names. The length keeps the name within an address. */
const container = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,200}$/

const entry = decoder(
  Schema.Struct({
    id: Id,
    name: line(maxName),
    name_en: optional(line(maxName)),
    container: optional(
      Schema.String.check(
        Schema.makeFilter((text: string) =>
          text === "" || container.test(text)
            ? undefined
            : 'must be the name of a container: letters, digits, "_", "." and "-", or be left out'
        )
      )
    ),
    group: optional(Schema.Union([Schema.Literal(""), line(maxName)])),
    group_en: optional(Schema.Union([Schema.Literal(""), line(maxName)])),
    checks: optional(Schema.Array(Schema.Unknown))
  })
)

/** Decodes components in the order of the file. A failure is the end of a sentence that begins "the file …: ". */
export const decodeServices = (json: unknown): Result.Result<Decoded<ReadonlyArray<Component>>, string> =>
  Result.gen(function* () {
    const { list, root } = yield* listIn(json, ["services", "components"])
    if (list.length > maxComponents)
      return yield* Result.fail(`has ${list.length} components: at most ${maxComponents} are allowed`)
    const places = new Map<string, string>()
    const warnings: Array<string> = []
    const value: Array<Component> = []
    for (const [index, item] of list.entries()) {
      const at = `${root}[${index}]`
      const { checks, container, group, group_en, id, name, name_en } = yield* entry(item, at)
      const other = places.get(id)
      if (other !== undefined)
        return yield* Result.fail(`${at}.id is ${quoted(id)}, as ${other}.id is: give each component a unique id`)
      places.set(id, at)
      if (name_en === undefined || name_en === null)
        warnings.push(`${at}.name_en is missing: its German name is shown in English too`)
      value.push({
        id,
        name,
        name_en: name_en ?? name,
        container: container || null,
        group: group || null,
        ...(group_en ? { group_en } : {}),
        probes: yield* probesOf(checks ?? [], `${at}.checks`)
      })
    }
    return { value, warnings }
  })

const probesOf = (checks: ReadonlyArray<unknown>, at: string): Result.Result<ReadonlyArray<Probe>, string> =>
  checks.length > maxChecks
    ? Result.fail(`${at} has ${checks.length} checks: at most ${maxChecks} are allowed`)
    : Result.all(checks.map((check, index) => decodeCheck(check, `${at}[${index}]`)))
