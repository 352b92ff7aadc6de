/** Draws a flowchart: boxes and arrows, placed by dagre. Pure. */
import { Graph, layout } from "@dagrejs/dagre"
import { arrow, box, boxHeight, picture, type Point, text, textWidth } from "./Svg.ts"

/** Form of a box by its brackets: `[text]`, `([text])`, `[(text)]`. */
const forms = [
  { form: /^([\w-]+)\(\[(.+)\]\)$/, radius: boxHeight / 2 },
  { form: /^([\w-]+)\[\((.+)\)\]$/, radius: 12 },
  { form: /^([\w-]+)\[(.+)\]$/, radius: 4 },
  { form: /^([\w-]+)$/, radius: 4 }
] as const

interface Node {
  readonly words: string
  readonly radius: number
  readonly group: string | undefined
}

interface Chart {
  readonly direction: string
  readonly nodes: ReadonlyMap<string, Node>
  readonly groups: ReadonlySet<string>
  readonly edges: ReadonlyArray<readonly [from: string, to: string]>
}

/** Units: pixels. */
const padding = 24
const margin = 10

const parsed = (lines: ReadonlyArray<string>): Chart => {
  const direction = /^flowchart (LR|TB)$/.exec(lines[0] ?? "")?.[1]
  if (direction === undefined) throw new Error(`a flowchart begins with ${lines[0]}`)
  const nodes = new Map<string, Node>()
  const groups = new Set<string>()
  const edges: Array<readonly [string, string]> = []
  let group: string | undefined
  const node = (source: string): string => {
    for (const { form, radius } of forms) {
      const [, id, words] = form.exec(source) ?? []
      if (id === undefined) continue
      const known = nodes.get(id)
      // A later line may give a known box its words or its group.
      if (known === undefined || words !== undefined)
        nodes.set(id, { words: words ?? known?.words ?? id, radius, group: group ?? known?.group })
      return id
    }
    throw new Error(`the flowchart has the unknown box ${source}`)
  }
  for (const line of lines.slice(1)) {
    const name = /^subgraph (\w+)$/.exec(line)?.[1]
    const [from, to] = line.split(" --> ")
    if (name !== undefined) groups.add((group = name))
    else if (line === "end") group = undefined
    else if (to === undefined) node(line)
    else edges.push([node(from!), node(to)])
  }
  return { direction, nodes, groups, edges }
}

/** Draws the lines of a flowchart: boxes, `a --> b`, and groups by `subgraph`. */
export const drawFlowchart = (lines: ReadonlyArray<string>): string => {
  const chart = parsed(lines)
  const graph = new Graph({ compound: true })
  graph.setGraph({ rankdir: chart.direction, nodesep: 14, ranksep: 70, marginx: margin, marginy: margin })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const name of chart.groups) graph.setNode(`group ${name}`, { width: 0, height: 0 })
  for (const [id, { group, words }] of chart.nodes) {
    graph.setNode(id, { width: textWidth(words) + padding, height: boxHeight })
    if (group !== undefined) graph.setParent(id, `group ${group}`)
  }
  for (const [from, to] of chart.edges) graph.setEdge(from, to)
  layout(graph)
  const placed = (id: string) => graph.node(id) as Point & { readonly width: number; readonly height: number }
  const { height = 0, width = 0 } = graph.graph() as { readonly width?: number; readonly height?: number }
  return picture(width, height, [
    ...Array.from(chart.groups, (name) => {
      const at = placed(`group ${name}`)
      return (
        box(at, { ...at, kind: "group" }) +
        text({ x: at.x - at.width / 2 + textWidth(name) / 2 + 8, y: at.y - at.height / 2 + 12 }, name)
      )
    }),
    ...chart.edges.map(([from, to]) =>
      arrow((graph.edge(from, to) as { readonly points: ReadonlyArray<Point> }).points)
    ),
    ...Array.from(chart.nodes, ([id, { radius, words }]) => {
      const at = placed(id)
      return box(at, { width: at.width, height: at.height, radius }) + text(at, words)
    })
  ])
}
