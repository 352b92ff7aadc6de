/** Draws a sequence diagram: participants side by side, messages from top to bottom. Pure. */
import { arrow, box, boxHeight, picture, text, textWidth } from "./Svg.ts"

interface Message {
  readonly from: number
  readonly to: number
  readonly isAnswer: boolean
  readonly words: string
}

/** Units: pixels. */
const margin = 10
const rowHeight = 40
const padding = 24

/** Draws the lines of a diagram: `participant A as Name`, `A->>B: words`, `A-->>B: words`. */
export const drawSequence = (lines: ReadonlyArray<string>): string => {
  if (lines[0] !== "sequenceDiagram") throw new Error(`a diagram begins with ${lines[0]}`)
  const names = new Map<string, string>()
  const messages: Array<Message> = []
  const place = (id: string): number => {
    const found = [...names.keys()].indexOf(id)
    if (found < 0) throw new Error(`the diagram has no participant ${id}`)
    return found
  }
  for (const line of lines.slice(1)) {
    const [, id, name] = /^participant (\w+) as (.+)$/.exec(line) ?? []
    const [, from, dashes, to, words] = /^(\w+)(--?)>>(\w+): (.+)$/.exec(line) ?? []
    if (id !== undefined) names.set(id, name!)
    else if (from === undefined) throw new Error(`the diagram has the unknown line ${line}`)
    else messages.push({ from: place(from), to: place(to!), isAnswer: dashes === "--", words: words! })
  }
  return drawn([...names.values()], messages)
}

/** Distances between neighbours, wide enough for their names and the words between them. */
const gapsOf = (names: ReadonlyArray<string>, messages: ReadonlyArray<Message>): ReadonlyArray<number> => {
  const gaps = names.slice(1).map((name, index) => (textWidth(name) + textWidth(names[index]!)) / 2 + 2 * padding)
  for (const { from, to, words } of messages) {
    const [left, right] = [Math.min(from, to), Math.max(from, to)]
    const room = gaps.slice(left, right).reduce((sum, gap) => sum + gap, 0)
    if (right > left) gaps[right - 1]! += Math.max(0, textWidth(words) + padding - room)
  }
  return gaps
}

const drawn = (names: ReadonlyArray<string>, messages: ReadonlyArray<Message>): string => {
  const first = margin + (textWidth(names[0] ?? "") + padding) / 2
  const xs = gapsOf(names, messages).reduce<ReadonlyArray<number>>((all, gap) => [...all, all.at(-1)! + gap], [first])
  const height = margin + boxHeight + rowHeight * (messages.length + 1)
  const width = xs.at(-1)! + (textWidth(names.at(-1) ?? "") + padding) / 2 + margin
  const parts = names.flatMap((name, index) => {
    const centre = { x: xs[index]!, y: margin + boxHeight / 2 }
    return [
      `<line class="group" x1="${centre.x}" y1="${margin + boxHeight}" x2="${centre.x}" y2="${height - margin}"/>`,
      box(centre, { width: textWidth(name) + padding, height: boxHeight }),
      text(centre, name)
    ]
  })
  messages.forEach(({ from, isAnswer, to, words }, index) => {
    const y = margin + boxHeight + rowHeight * (index + 1)
    const [start, end] = [xs[from]!, xs[to]!]
    parts.push(
      text({ x: (start + end) / 2, y: y - 12 }, words),
      arrow(
        [
          { x: start, y },
          { x: end, y }
        ],
        isAnswer ? "arrow answer" : "arrow"
      )
    )
  })
  return picture(width, height, parts)
}
