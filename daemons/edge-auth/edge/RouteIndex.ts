/** Index of enabled routes by host; finds the role that a request needs. Pure. */
import { formsOf, isBelow, maxPath, pathOf } from "./Paths.ts"

export type Role = "user" | "admin"

export interface RouteRow {
  readonly id: number
  /** Normalised by `hostOf`. */
  readonly host: string
  /** Path prefix in lower case without a final slash; `/` covers the whole host. */
  readonly path: string
  readonly required_role: Role
  readonly enabled: boolean
}

export interface RouteIndex {
  readonly put: (row: RouteRow) => void
  readonly remove: (id: number) => void
  /** Role that `target` on `host` needs; undefined where no route matches. */
  readonly roleFor: (host: string, target: string) => Role | undefined
  /** Whether an enabled route is at `host`. */
  readonly has: (host: string) => boolean
  readonly hosts: () => ReadonlySet<string>
  readonly size: () => number
}

/**
 * Matches paths whose only form is the path itself, with any query. Reason: nearly all paths match, and computing
 * forms costs more than the rest of the answer.
 */
const plain = /^((?:\/[a-z0-9_~-]+(?:\.[a-z0-9_~-]+)*)*\/?)(?:$|\?)/

export const make = (): RouteIndex => {
  const rows = new Map<number, RouteRow>()
  const byHost = new Map<string, ReadonlyArray<RouteRow>>()

  const rebuild = (host: string) => {
    const own = [...rows.values()].filter((row) => row.enabled && row.host === host)
    if (own.length === 0) byHost.delete(host)
    else
      byHost.set(
        host,
        own.sort((a, b) => b.path.length - a.path.length)
      )
  }

  const remove = (id: number) => {
    const old = rows.get(id)
    if (old === undefined) return
    rows.delete(id)
    rebuild(old.host)
  }

  return {
    put: (row) => {
      remove(row.id)
      rows.set(row.id, row)
      rebuild(row.host)
    },
    remove,
    roleFor: (host, target) => {
      const own = byHost.get(host)
      if (own === undefined) return undefined
      const path = plain.exec(target)?.[1]
      if (path !== undefined) return nearest(own, path)
      if (target.length > maxPath && pathOf(target).length > maxPath)
        return own.some(({ required_role }) => required_role === "admin") ? "admin" : "user"
      let strictest: Role | undefined
      for (const form of formsOf(target)) {
        const role = nearest(own, form)
        if (role === "admin") return role
        strictest ??= role
      }
      return strictest
    },
    has: (host) => byHost.has(host),
    hosts: () => new Set(byHost.keys()),
    size: () => rows.size
  }
}

/** Role of the longest matching prefix; among prefixes of equal length the stricter role wins. `own`: longest first. */
const nearest = (own: ReadonlyArray<RouteRow>, path: string): Role | undefined => {
  let found: RouteRow | undefined
  for (const row of own) {
    if (found !== undefined && row.path.length < found.path.length) break
    if (!isBelow(path, row.path)) continue
    if (row.required_role === "admin") return "admin"
    found ??= row
  }
  return found?.required_role
}
