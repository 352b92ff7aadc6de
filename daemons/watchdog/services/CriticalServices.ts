/** The setting that lists critical services with their dependencies. Pure. */

export interface Critical {
  readonly name: string
  /** Names of critical services that must be healthy first. */
  readonly after: ReadonlyArray<string>
}

/** Maximum number of critical services. Reason: bounds the looks in one interval. */
const maxCritical = 100

const itemPattern = /^\s*([^\s,()]{1,270})\s*(?:\(([^()]*)\))?\s*$/
const namePattern = /^((container|unit|daemon):)?[a-zA-Z0-9][a-zA-Z0-9:_.@\\-]{0,254}$/

/** Services in dependency order, dependencies first; or the fault of the text. */
export const parseCritical = (text: string): ReadonlyArray<Critical> | string => {
  const found = new Map<string, Critical>()
  for (const item of text.split(/,(?![^(]*\))/)) {
    if (item.trim() === "") continue
    const parts = itemPattern.exec(item)
    if (parts === null) return `cannot read "${item.trim().slice(0, 60)}"`
    const after = (parts[2] ?? "").split(/[\s,]+/).filter((name) => name !== "")
    const bad = [parts[1]!, ...after].find((name) => !namePattern.test(name))
    if (bad !== undefined) return `"${bad.slice(0, 60)}" is no name of a container, unit or daemon`
    if (found.has(parts[1]!)) return `${parts[1]} is listed twice`
    found.set(parts[1]!, { name: parts[1]!, after })
  }
  if (found.size > maxCritical) return `at most ${maxCritical} services`
  for (const { after, name } of found.values()) {
    const unknown = after.find((other) => !found.has(other))
    if (unknown !== undefined) return `${name} depends on ${unknown}, which is not listed`
  }
  return ordered(found)
}

const ordered = (services: ReadonlyMap<string, Critical>): ReadonlyArray<Critical> | string => {
  const done = new Set<string>()
  const open = new Set<string>()
  const sorted: Array<Critical> = []
  const visit = (service: Critical): string | undefined => {
    if (done.has(service.name)) return undefined
    if (open.has(service.name)) return `${service.name} depends on itself`
    open.add(service.name)
    for (const name of service.after) {
      const fault = visit(services.get(name)!)
      if (fault !== undefined) return fault
    }
    done.add(service.name)
    sorted.push(service)
    return undefined
  }
  for (const service of services.values()) {
    const fault = visit(service)
    if (fault !== undefined) return fault
  }
  return sorted
}
