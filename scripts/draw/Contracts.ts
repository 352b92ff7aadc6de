/** The picture of daemons and the contracts that they use. Pure. */

/** One source file: path from the root of the project, and its text. */
export interface Source {
  readonly path: string
  readonly text: string
}

/**
 * A Mermaid flowchart: an arrow from each daemon to each contract that its files import. Daemons that share no contract
 * stand alone.
 */
export const drawContracts = (sources: ReadonlyArray<Source>): string => {
  const uses = sources.flatMap(({ path, text }) => {
    const daemon = /^daemons\/([^/]+)\//.exec(path)?.[1]
    if (daemon === undefined) return []
    return Array.from(text.matchAll(/from "#core\/contracts\/(\w+)\.ts"/g), ([, contract]) => ({
      daemon,
      contract: contract!
    }))
  })
  const contracts = Map.groupBy(uses, ({ contract }) => contract)
  // A contract that only one daemon uses connects nothing.
  const shared = [...contracts].filter(([, users]) => new Set(users.map(({ daemon }) => daemon)).size > 1)
  const arrows = shared.flatMap(([contract, users]) => users.map(({ daemon }) => `  ${daemon} --> ${contract}`))
  const shapes = shared.map(([contract]) => `  ${contract}([${contract}])`)
  const connected = new Set(shared.flatMap(([, users]) => users.map(({ daemon }) => daemon)))
  const alone = sources.flatMap(({ path }) => {
    const daemon = /^daemons\/([^/]+)\/Daemon\.ts$/.exec(path)?.[1]
    return daemon === undefined || connected.has(daemon) ? [] : [`  ${daemon}`]
  })
  const lines = [...shapes.sort(), ...alone.sort(), ...[...new Set(arrows)].sort()]
  return ["```mermaid", "flowchart LR", ...lines, "```", ""].join("\n")
}

const [begin, end] = ["<!-- drawn: contracts -->\n", "<!-- /drawn -->"] as const

/** The page with this picture between its two marks. */
export const withDrawing = (page: string, drawing: string): string => {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error("the page has no marks for the picture")
  return `${page.slice(0, from + begin.length)}${drawing}${page.slice(to)}`
}
