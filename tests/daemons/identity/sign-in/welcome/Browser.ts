/**
 * The parts of a browser that the script of the welcome page needs: elements by id, an address, fetch. The script runs
 * here over the real endpoints. Policies and layout are tested in a real browser.
 */
import { Effect } from "effect"
import { runInNewContext } from "node:vm"

class Element {
  hidden = false
  disabled = false
  type = ""
  value = ""
  textContent = ""
  readonly attributes: Record<string, string> = {}
  readonly listeners: Record<string, (event: unknown) => unknown> = {}
  setAttribute(name: string, value: string) {
    this.attributes[name] = value
  }
  removeAttribute(name: string) {
    delete this.attributes[name]
  }
  addEventListener(name: string, listener: (event: unknown) => unknown) {
    this.listeners[name] = listener
  }
  focus() {}
}

/** Opens the address with its fragment and runs the page's script. */
export const visit = Effect.fnUntraced(function* (address: string, language = "en") {
  const url = new URL(address)
  const html = yield* Effect.promise(async () =>
    (await fetch(url.origin + url.pathname, { headers: { "accept-language": language } })).text()
  )
  const elements = new Map(
    Array.from(html.matchAll(/<[^>]* id="(\w+)"([^>]*)>/g), ([tag, id]) => {
      const element = new Element()
      element.hidden = / hidden[ >]/.test(tag)
      return [id!, element]
    })
  )
  elements.get("rules")!.textContent = /<p id="rules"><small>([^<]*)/.exec(html)![1]!
  const part = (id: string) => elements.get(id)!
  const dataset = Object.fromEntries(
    Array.from(/<main\s([^>]*)>/.exec(html)![1]!.matchAll(/data-([\w-]+)="([^"]*)"/g), ([, name, value]) => [
      name!.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value
    ])
  )
  let shown = url.pathname + url.hash
  runInNewContext(/<script>([^]*)<\/script>/.exec(html)![1]!, {
    document: { querySelector: () => ({ dataset }), getElementById: part },
    URLSearchParams,
    location: { hash: url.hash, pathname: url.pathname, search: url.search },
    history: { replaceState: (_: unknown, __: string, path: string) => (shown = path) },
    fetch: (path: string, options: RequestInit) => fetch(new URL(path, url.origin + url.pathname), options)
  })
  return {
    part,
    address: () => shown,
    /** Enters both passwords, submits the form, and waits for the result. */
    submit: (password: string, repeat: string) =>
      Effect.promise(async () => {
        part("password").value = password
        part("repeat").value = repeat
        await part("form").listeners["submit"]!({ preventDefault: () => undefined })
      })
  }
})
