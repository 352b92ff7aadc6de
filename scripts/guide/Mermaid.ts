/**
 * Draws the Mermaid diagrams of documents as SVG when the guide is built, so that its pages need no script for them.
 * Knows the forms that our documents use and throws at every other line. Pure. Source: mermaid.js.org, syntax of
 * flowcharts and sequence diagrams.
 *
 * The library mermaid 12 needs a browser. beautiful-mermaid 1.1 lays out with elkjs, whose licence is EPL-2.0.
 */
import { escaped } from "../../core/html/Escape.ts"
import { drawFlowchart } from "./Flowchart.ts"
import { drawSequence } from "./Sequence.ts"

/** The diagram as a figure, with its source as the text for readers who do not see it. */
export const draw = (source: string): string => {
  const lines = source
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
  const svg = lines[0]?.startsWith("flowchart ") === true ? drawFlowchart(lines) : drawSequence(lines)
  const block = `<pre tabindex="0"><code>${escaped(source)}</code></pre>`
  const text = `<details><summary>Diagram as text</summary>${block}</details>`
  return `<figure tabindex="0">${svg}${text}</figure>`
}
