/**
 * Merges the APIs of all daemons into one, for a single OpenAPI document and documentation page. It serves no requests.
 */
import type { HttpApi } from "effect/http-api"
import * as Api from "../http/Api.ts"
import { endpointsOf } from "../http/Methods.ts"

/** The properties of a daemon that are needed here. */
interface Documented {
  readonly name: string
  readonly api: HttpApi.Constraint
}

/**
 * Merges the APIs; groups become tags. Call `clashes` first: when two groups have the same name, the later one wins.
 */
export const merge = (daemons: ReadonlyArray<Documented>): HttpApi.Constraint =>
  Api.titled(
    Api.merge(
      "signalbox",
      daemons.map(({ api }) => api)
    ),
    { name: "Signalbox" }
  )

/** Describes conflicts between two daemons: the same group name, or the same method and path. */
export const clashes = (daemons: ReadonlyArray<Documented>): ReadonlyArray<string> => {
  const owners = new Map<string, string>()
  const found: Array<string> = []
  const claim = (what: string, daemon: string) => {
    const owner = owners.get(what)
    if (owner !== undefined && owner !== daemon) found.push(`${owner} and ${daemon} both declare ${what}`)
    owners.set(what, owner ?? daemon)
  }
  for (const daemon of daemons) {
    for (const { group, method, path } of endpointsOf(daemon.api)) {
      claim(`the group ${group}`, daemon.name)
      claim(`${method} ${path.replace(/:\w+/g, ":parameter")}`, daemon.name)
    }
  }
  return found
}
