/**
 * What of a browser matters for signing in: cookies with their paths and lifetimes, redirects followed one by one, the
 * public name of a server that really listens elsewhere. Runs no script.
 */

export interface Page {
  /** As the address bar shows it, fragment included. */
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface Cookie {
  readonly host: string
  readonly path: string
  readonly name: string
  readonly value: string
  readonly attributes: string
}

/** Redirects in a row. Unit: redirects. Source: Fetch standard §4.4. */
const maxRedirects = 20

export class Browser {
  cookies: ReadonlyArray<Cookie> = []
  /** Where it was, in this order. */
  readonly visited: Array<string> = []
  readonly #names: ReadonlyMap<string, string>

  /** `names`: origins as people know them, and where they listen. */
  constructor(names: Readonly<Record<string, string>> = {}) {
    this.#names = new Map(Object.entries(names))
  }

  /** Opens an address and follows it until `stop` holds of the next address, or nothing leads on. */
  async open(address: string, stop: (url: URL) => boolean = () => false): Promise<Page> {
    let url = new URL(address)
    for (let hop = 0; hop < maxRedirects; hop++) {
      const page = await this.#get(url)
      const location = page.headers.get("location")
      if (location === null) return page
      const next = new URL(location, url)
      if (stop(next)) return { ...page, url: next }
      url = next
    }
    throw new Error(`more than ${maxRedirects} redirects, to ${url.href}`)
  }

  /** Takes what an answer to a script of a page at `url` sets. */
  take(url: URL, headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair, ...rest] = line.split(";").map((part) => part.trim())
      const [name, value] = [pair!.slice(0, pair!.indexOf("=")), pair!.slice(pair!.indexOf("=") + 1)]
      const attribute = (wanted: string) =>
        rest.find((part) => part.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1)
      const path = attribute("path") ?? "/"
      const gone = attribute("max-age") === "0" || Date.parse(attribute("expires") ?? "9999-01-01") < Date.now()
      // A cookie for https only is not taken from anywhere else.
      if (rest.some((part) => part.toLowerCase() === "secure") && url.protocol !== "https:") continue
      const others = this.cookies.filter(
        (cookie) => cookie.host !== url.host || cookie.path !== path || cookie.name !== name
      )
      this.cookies = gone ? others : [...others, { host: url.host, path, name, value, attributes: rest.join("; ") }]
    }
  }

  async #get(url: URL): Promise<Page> {
    this.visited.push(url.href)
    const sent = this.cookies.filter(
      ({ host, path }) =>
        host === url.host && (url.pathname === path || url.pathname.startsWith(path.endsWith("/") ? path : `${path}/`))
    )
    const origin = this.#names.get(url.origin) ?? url.origin
    const response = await fetch(origin + url.pathname + url.search, {
      redirect: "manual",
      headers: {
        accept: "text/html",
        ...(sent.length === 0 ? {} : { cookie: sent.map(({ name, value }) => `${name}=${value}`).join("; ") })
      }
    })
    this.take(url, response.headers)
    return { url, status: response.status, headers: response.headers, text: await response.text() }
  }
}
