/**
 * Names of services. Pure. A name that ends in a unit type is a unit, the name of one of our daemons is that daemon,
 * and every other name is a container. A prefix (`container:`) states the kind.
 */
import { Schema } from "effect"
import { type Kind as KindName, kinds } from "./ServiceKinds.ts"
import { containerPattern, unitPattern } from "./ServicePatterns.ts"

export const Kind = Schema.Literals(kinds)
export type Kind = KindName

export interface ServiceName {
  readonly kind: KindName
  readonly name: string
}

/** Undefined for a name that no service can have. `daemons`: names of our daemons. */
export const parse = (text: string, daemons: ReadonlySet<string>): ServiceName | undefined => {
  const prefix = /^(container|unit|daemon):/.exec(text)
  const name = prefix === null ? text : text.slice(prefix[0].length)
  const kind = (prefix?.[1] as KindName | undefined) ?? kindOf(name, daemons)
  const valid =
    kind === "container" ? containerPattern.test(name) : kind === "unit" ? unitPattern.test(name) : daemons.has(name)
  return valid ? { kind, name } : undefined
}

/** The shortest text that `parse` reads as this service. */
export const format = ({ kind, name }: ServiceName, daemons: ReadonlySet<string>): string =>
  kindOf(name, daemons) === kind ? name : `${kind}:${name}`

const kindOf = (name: string, daemons: ReadonlySet<string>): KindName =>
  daemons.has(name) ? "daemon" : unitPattern.test(name) ? "unit" : "container"
