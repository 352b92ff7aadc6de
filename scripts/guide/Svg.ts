/** Parts of pictures as SVG. Their colours are classes of guide.css, so both themes have theirs. Pure. */
import { escaped } from "../../core/html/Escape.ts"

export interface Point {
  readonly x: number
  readonly y: number
}

/** Average width of a character at 13 pixels. Unit: pixels. Source: DejaVu Sans, the widest of the usual fonts. */
const characterWidth = 7.6

/** Height of a box. Unit: pixels. */
export const boxHeight = 34

/** Width that a text needs. Unit: pixels. */
export const textWidth = (text: string): number => Math.ceil(text.length * characterWidth)

const rounded = (value: number): number => Math.round(value * 10) / 10

export const text = (at: Point, content: string): string =>
  `<text x="${rounded(at.x)}" y="${rounded(at.y)}" text-anchor="middle" ` +
  `dominant-baseline="middle">${escaped(content)}</text>`

/** A box around a point. `radius`: of its corners. */
export const box = (
  centre: Point,
  {
    kind = "box",
    height,
    radius = 4,
    width
  }: { width: number; height: number; radius?: number; kind?: "box" | "group" }
): string => {
  const corner = `x="${rounded(centre.x - width / 2)}" y="${rounded(centre.y - height / 2)}"`
  return `<rect class="${kind}" ${corner} width="${rounded(width)}" height="${rounded(height)}" rx="${radius}"/>`
}

/** Length of an arrow's head. Unit: pixels. */
const headLength = 9

/** An arrow through points; its head is at the last one. */
export const arrow = (points: ReadonlyArray<Point>, kind: "arrow" | "arrow answer" = "arrow"): string => {
  const end = points.at(-1)!
  const before = points.at(-2)!
  const angle = Math.atan2(end.y - before.y, end.x - before.x)
  const corner = (turn: number): string =>
    `${rounded(end.x - headLength * Math.cos(angle + turn))},${rounded(end.y - headLength * Math.sin(angle + turn))}`
  const line = points.map(({ x, y }) => `${rounded(x)},${rounded(y)}`).join(" ")
  return (
    `<polyline class="${kind}" points="${line}"/>` +
    `<polygon class="head" points="${rounded(end.x)},${rounded(end.y)} ${corner(0.4)} ${corner(-0.4)}"/>`
  )
}

/** A picture of parts. Units: pixels. */
export const picture = (width: number, height: number, parts: ReadonlyArray<string>): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="Diagram" width="${Math.ceil(width)}" ` +
  `height="${Math.ceil(height)}" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}">${parts.join("")}</svg>`
