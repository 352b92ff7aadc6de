/** Reads requests that a real switch posted (mod_xml_curl), from tests/goldens/freeswitch-xml. */
import { readdirSync, readFileSync } from "node:fs"

const directory = new URL("../../goldens/freeswitch-xml/", import.meta.url)

/** Request bodies of the captures whose names begin with `prefix`, in order. Without a prefix: of all captures. */
export const lookUps = (prefix = ""): ReadonlyArray<string> =>
  readdirSync(directory)
    .filter((name) => name.startsWith(prefix) && name.endsWith(".txt"))
    .sort()
    .flatMap((name) => {
      const text = readFileSync(new URL(name, directory)).toString("latin1")
      const found: Array<string> = []
      for (const { 0: line, 1: size, index } of text.matchAll(/^#=== [\d.]+ switch>http \S+ (\d+) bytes\n/gm)) {
        const request = text.slice(index + line.length, index + line.length + Number(size))
        const [head, ...body] = request.split("\r\n\r\n")
        if (head!.startsWith("POST ")) found.push(body.join("\r\n\r\n"))
      }
      return found
    })

/** The first request body that contains all these texts. */
export const lookUp = (prefix: string, ...having: ReadonlyArray<string>): string => {
  const found = lookUps(prefix).find((body) => having.every((text) => body.includes(text)))
  if (found === undefined) throw new Error(`no look-up in ${prefix} with ${having.join(", ")}`)
  return found
}

/** The request body with replaced values. A value replaces the last occurrence of its name. */
export const asking = (body: string, values: Readonly<Record<string, string>>): string =>
  Object.entries(values).reduce((text, [name, value]) => {
    const start = text.lastIndexOf(`&${name}=`)
    if (start === -1) throw new Error(`the look-up has no ${name}`)
    const end = text.indexOf("&", start + 1)
    return `${text.slice(0, start)}&${name}=${value}${end === -1 ? "" : text.slice(end)}`
  }, body)
