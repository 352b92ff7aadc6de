/**
 * A browser for sign-in tests: cookies with path and lifetime, redirects one by one, and public host names that map to
 * local servers. Runs no script.
 */

export interface Page {
  /** Address as the address bar shows it, fragment included. */
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

/** Longest chain of redirects. Unit: redirects. Source: Fetch standard §4.4. */
const maxRedirects = 20

export class Browser {
  cookies: ReadonlyArray<Cookie> = []
  /** Visited addresses, in order. */
  readonly visited: Array<string> = []
  readonly #names: ReadonlyMap<string, string>

  /** `names`: maps public origins to the addresses where their servers listen. */
  constructor(names: Readonly<Record<string, string>> = {}) {
    this.#names = new Map(Object.entries(names))
  }

  /** Opens an address and follows redirects until there is none, or until `stop` accepts the next address. */
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

  /** Stores the cookies of an answer to a script of the page at `url`. */
  take(url: URL, headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair, ...rest] = line.split(";").map((part) => part.trim())
      const [name, value] = [pair!.slice(0, pair!.indexOf("=")), pair!.slice(pair!.indexOf("=") + 1)]
      const attribute = (wanted: string) =>
        rest.find((part) => part.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1)
      const path = attribute("path") ?? "/"
      const gone = attribute("max-age") === "0" || Date.parse(attribute("expires") ?? "9999-01-01") < Date.now()
      // A `Secure` cookie is accepted over https only.
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
