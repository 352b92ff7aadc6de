/**
 * Translations as XLIFF. Writes version 1.2, which translators' programs read best; reads 1.2 and 2. Pure. Source:
 * OASIS XLIFF 1.2 §2.3 and 2.1 §4.2.
 *
 * No document type and no inline element is accepted: texts are text, and the placeholders are part of them.
 */
import { SaxesParser } from "saxes"
import { element, write } from "#core/html/Xml.ts"
import { type TextList, sourceLocale } from "../texts/Exports.ts"
import type { FileEntry } from "./Fields.ts"

const namespace = "urn:oasis:names:tc:xliff:document:1.2"

const states: Readonly<Record<TextList.State, string>> = {
  stale: "needs-review-translation",
  missing: "needs-translation",
  automatic: "needs-review-translation",
  manual: "translated"
}

export const writeXliff = (locale: string, rows: ReadonlyArray<TextList.TextRow>): string =>
  write(
    element(
      "xliff",
      { version: "1.2" },
      element(
        "file",
        { original: "signalbox", datatype: "plaintext", "source-language": sourceLocale, "target-language": locale },
        element(
          "body",
          {},
          ...rows.map(({ key, source, state, value }) =>
            element(
              "trans-unit",
              { id: key, "xml:space": "preserve" },
              element("source", {}, source),
              element("target", { state: states[state] }, ...(value === null ? [] : [value]))
            )
          )
        )
      )
    ),
    namespace
  )

/**
 * Size of the pieces that are parsed one after the other, so that other requests run in between. Unit: UTF-16 code
 * units. Reason: parsing one piece takes about 10 ms.
 */
const pieceSize = 64 * 1024

/** Deepest nesting. Reason: XLIFF 2 has six levels. */
const maxDepth = 12

/** Entries in the order of the file. Units without target are left out. Throws a sentence for a file that is no XML. */
export async function* readXliff(file: string): AsyncGenerator<FileEntry> {
  let found: Array<FileEntry> = []
  let unit:
    | { id: string; source: string | undefined; target: string | undefined; problem: string | undefined }
    | undefined
  let inside: "source" | "target" | undefined
  let depth = 0
  let isXliff = false
  let fault: Error | undefined
  const parser = new SaxesParser({ xmlns: false })
  const fail = (message: string) => (fault ??= new Error(message))
  parser.on("error", (error) => fail(error.message.slice(0, 200)))
  parser.on("doctype", () => fail("a document type is not accepted"))
  parser.on("opentag", ({ attributes, isSelfClosing, name }) => {
    if (++depth > maxDepth) fail("the elements are nested too deeply")
    const local = name.replace(/^.*:/, "")
    if (depth === 1) isXliff = local === "xliff"
    if (local === "trans-unit" || local === "unit")
      unit = { id: String(attributes["id"] ?? ""), source: undefined, target: undefined, problem: undefined }
    else if (unit !== undefined && inside !== undefined) unit.problem = `has the element ${local} in its ${inside}`
    else if (unit !== undefined && (local === "source" || local === "target")) {
      inside = local
      if (unit[local] === undefined) unit[local] = ""
      else unit.problem = "has several segments"
    }
    if (isSelfClosing && (local === "source" || local === "target")) inside = undefined
  })
  parser.on("closetag", ({ name }) => {
    depth--
    const local = name.replace(/^.*:/, "")
    if (local === inside) inside = undefined
    if (unit === undefined || (local !== "trans-unit" && local !== "unit")) return
    const { id, problem, source, target } = unit
    if (problem !== undefined) found.push({ at: id, problem })
    else if (target !== undefined && target !== "") found.push({ key: id, source, value: target })
    unit = undefined
  })
  const text = (part: string) => {
    if (unit !== undefined && inside !== undefined) unit[inside] += part
  }
  parser.on("text", text)
  parser.on("cdata", text)
  for (let at = 0; at < file.length; at += pieceSize) {
    parser.write(file.slice(at, at + pieceSize))
    if (fault !== undefined) throw fault
    yield* found
    found = []
    await new Promise((resolve) => setImmediate(resolve))
  }
  parser.close()
  if (fault !== undefined) throw fault
  if (!isXliff) throw new Error("the root element is not xliff")
  yield* found
}
