/**
 * The forms that a path may take until it reaches what answers it. Proxies and backends differ in what they decode,
 * fold and ignore; a path is protected when any of its forms is, so that no spelling of a protected place is an open
 * one. Pure.
 */

/** How often a path is decoded. Unit: times. Reason: one layer each for proxy, gateway and backend. */
const decodings = 3

/**
 * Longest path that is looked at. Unit: characters. Reason: half of the header block; of a longer one nobody can say
 * where it leads.
 */
export const maxPath = 8_192

/** The path of a target, as it was sent. */
export const pathOf = (target: string): string => target.split(/[?#]/, 1)[0]!

/**
 * Every form of `target` (a path of at most `maxPath`, with or without its query), in lower case; all begin with `/`.
 */
export const formsOf = (target: string): ReadonlyArray<string> => {
  let decoded = withSlash(pathOf(target).toLowerCase())
  const forms = new Set<string>()
  for (let turn = 0; turn <= decodings; turn += 1) {
    for (const path of cutsOf(decoded)) {
      for (const slashed of path.includes("\\") ? [path, path.replaceAll("\\", "/")] : [path]) {
        for (const form of slashed.includes(";") ? [slashed, withoutParameters(slashed)] : [slashed]) {
          forms.add(form.replace(/\/{2,}/g, "/"))
          forms.add(folded(form))
        }
      }
    }
    const next = decodedOnce(decoded)
    if (next === decoded) break
    decoded = withSlash(next)
  }
  const found = [...forms]
  return [...new Set([...found, ...found.filter((form) => trimmable.test(form)).map((form) => folded(trimmed(form)))])]
}

/** The form that every spelling of a path comes to, without a final slash: as routes are kept. */
export const plainestOf = (target: string): string => {
  let decoded = withSlash(pathOf(target).slice(0, maxPath).toLowerCase())
  for (let turn = 0; turn < decodings; turn += 1) decoded = withSlash(decodedOnce(decoded))
  return folded(withoutParameters(decoded.replaceAll("\\", "/")))
}

const withSlash = (path: string): string => (path.startsWith("/") ? path : `/${path}`)

/** Whole, and up to where a second reading would find a query, a fragment or the end of a C string. */
const cutsOf = (path: string): ReadonlyArray<string> => {
  const end = path.search(/[?#\0]/)
  return end === -1 ? [path] : [path, withSlash(path.slice(0, end))]
}

const trimmable = /[\0-\x20.](?:\/|$)/

/** Without the blanks and dots at the end of a segment, which Windows does not see; `.` and `..` stay. */
const trimmed = (path: string): string =>
  path.replace(/([^/.\0-\x20])[\0-\x20.]+(?=\/|$)/g, "$1").replace(/(\/\.\.?)[\0-\x20]+(?=\/|$)/g, "$1")

/** `/a;v=1/b` without what some backends take for parameters of a segment. Source: RFC 3986 §3.3. */
const withoutParameters = (path: string): string => path.replace(/;[^/]*/g, "")

/**
 * Each escape by itself: one that is wrong does not keep the others from being read. Bytes of no ASCII stay bytes,
 * routes hold none.
 */
const decodedOnce = (path: string): string =>
  path.replace(/%([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))).toLowerCase()

/** Without empty and dot segments. Source: RFC 3986 §5.2.4. */
const folded = (path: string): string => {
  const segments = new Array<string>()
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue
    if (segment === "..") segments.pop()
    else segments.push(segment)
  }
  return `/${segments.join("/")}`
}

/** Whether `path` is at or below `prefix`, whole segments only; `/` is everything. */
export const isBelow = (path: string, prefix: string): boolean =>
  prefix === "/" || path === prefix || (path.startsWith(prefix) && path.charCodeAt(prefix.length) === 0x2f)
