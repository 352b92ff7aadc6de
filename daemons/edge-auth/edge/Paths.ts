/**
 * Computes the forms that proxies and backends can read a path as. They differ in what they decode, fold and ignore. A
 * path is protected when any of its forms is protected, so no other spelling of a protected path is open. Pure.
 */

/** Rounds of percent-decoding. Reason: proxy, gateway and backend may each decode once. */
const decodings = 3

/**
 * Longest path whose forms are computed; a longer path needs the strictest role of its host. Unit: characters. Reason:
 * half of the header block.
 */
export const maxPath = 8_192

/** Path of a request target, as the client sent it. */
export const pathOf = (target: string): string => target.split(/[?#]/, 1)[0]!

/**
 * Every form of `target` (a path of at most `maxPath` characters, with or without a query), in lower case. Each form
 * begins with `/`.
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

/** Fully decoded and folded form of a path, without a final slash. Routes are stored in this form. */
export const plainestOf = (target: string): string => {
  let decoded = withSlash(pathOf(target).slice(0, maxPath).toLowerCase())
  for (let turn = 0; turn < decodings; turn += 1) decoded = withSlash(decodedOnce(decoded))
  return folded(withoutParameters(decoded.replaceAll("\\", "/")))
}

const withSlash = (path: string): string => (path.startsWith("/") ? path : `/${path}`)

/**
 * The whole path, and the part before a decoded `?`, `#` or NUL. A backend that parses the decoded path sees a query, a
 * fragment or the end of a C string there.
 */
const cutsOf = (path: string): ReadonlyArray<string> => {
  const end = path.search(/[?#\0]/)
  return end === -1 ? [path] : [path, withSlash(path.slice(0, end))]
}

const trimmable = /[\0-\x20.](?:\/|$)/

/** Path without blanks and dots at the end of a segment, which Windows ignores; `.` and `..` stay. */
const trimmed = (path: string): string =>
  path.replace(/([^/.\0-\x20])[\0-\x20.]+(?=\/|$)/g, "$1").replace(/(\/\.\.?)[\0-\x20]+(?=\/|$)/g, "$1")

/** Path without segment parameters, which some backends ignore: `/a;v=1/b` becomes `/a/b`. Source: RFC 3986 §3.3. */
const withoutParameters = (path: string): string => path.replace(/;[^/]*/g, "")

/**
 * Decodes each escape by itself, so that an invalid escape does not hide the others. Bytes outside ASCII stay single
 * bytes; routes contain none.
 */
const decodedOnce = (path: string): string =>
  path.replace(/%([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))).toLowerCase()

/** Path without empty and dot segments. Source: RFC 3986 §5.2.4. */
const folded = (path: string): string => {
  const segments = new Array<string>()
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue
    if (segment === "..") segments.pop()
    else segments.push(segment)
  }
  return `/${segments.join("/")}`
}

/** Whether `path` is at or below `prefix`, by whole segments; every path is below `/`. */
export const isBelow = (path: string, prefix: string): boolean =>
  prefix === "/" || path === prefix || (path.startsWith(prefix) && path.charCodeAt(prefix.length) === 0x2f)
