/** XML read by a strict reader that knows namespaces: what is not well formed fails. */
import { SaxesParser } from "saxes"

export interface Read {
  readonly name: string
  readonly uri: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Array<Read>
  text: string
}

export const read = (text: string): Read => {
  const parser = new SaxesParser({ xmlns: true })
  const top: Read = { name: "", uri: "", attributes: {}, children: [], text: "" }
  const open = [top]
  parser.on("error", (error) => {
    throw error
  })
  parser.on("opentag", ({ attributes, name, uri }) => {
    const made: Read = {
      name,
      uri,
      attributes: Object.fromEntries(Object.values(attributes).map((one) => [one.name, one.value])),
      children: [],
      text: ""
    }
    open.at(-1)!.children.push(made)
    open.push(made)
  })
  parser.on("text", (part) => void (open.at(-1)!.text += part))
  parser.on("closetag", () => void open.pop())
  parser.write(text).close()
  return top.children[0]!
}

export const all = ({ children }: Read, name: string): ReadonlyArray<Read> =>
  children.filter((child) => child.name === name)

/** The text of the only child of that name. */
export const only = (of: Read, name: string): string => {
  const found = all(of, name)
  if (found.length !== 1) throw new Error(`${found.length} of ${name}`)
  return found[0]!.text
}
