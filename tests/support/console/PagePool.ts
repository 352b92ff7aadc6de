/**
 * Pages that one test returns and a later test of the worker process takes. A new browser context needs a new process
 * of the browser, which compiles the console from nothing: 0.3 s of processor time. A returned page keeps its process.
 * Cookies, stored data, permissions, routes, listeners, scripts and size of the last test are removed; a page with
 * something that cannot be removed is closed.
 */
import type { Browser, BrowserContext, CDPSession, Disposable, Page } from "playwright-core"

/** Size of a taken page. Unit: CSS pixels. */
const viewport = { width: 1280, height: 900 }

export interface PooledPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Removed when the page returns. */
  readonly scripts: Array<Disposable>
  readonly devTools: CDPSession
  /** Whether the last test did something to the page that cannot be undone. */
  isSpoilt: boolean
}

/** Returned pages of each browser, shared over all files of the process, also when each file has its own modules. */
const shared = Symbol.for("signalbox.test.pages")
const worker = globalThis as { [shared]?: WeakMap<Browser, Array<PooledPage>> }

/** What a page can store, besides cookies and what belongs to one page only. */
const storages = "cache_storage,indexeddb,local_storage,service_workers"

/** Events of a page and a context to which tests listen. Playwright itself listens to others. */
const events = [
  "console",
  "dialog",
  "download",
  "filechooser",
  "framenavigated",
  "load",
  "page",
  "pageerror",
  "popup",
  "request",
  "requestfailed",
  "requestfinished",
  "response",
  "websocket",
  "worker"
]

/** Methods of pages and contexts whose effect stays. */
const spoiling = [
  "addLocatorHandler",
  "emulateMedia",
  "exposeBinding",
  "exposeFunction",
  "routeWebSocket",
  "setDefaultNavigationTimeout",
  "setExtraHTTPHeaders",
  "setGeolocation",
  "setOffline"
] as const

/** Takes a returned page, or opens one. It shows `about:blank`. */
export const takePage = async (browser: Browser): Promise<PooledPage> => {
  const returned = worker[shared]?.get(browser) ?? []
  // Other tests of the browser may have closed a page.
  for (let one = returned.pop(); one !== undefined; one = returned.pop()) if (!one.page.isClosed()) return one
  const context = await browser.newContext({ viewport, reducedMotion: "reduce" })
  const page = await context.newPage()
  const pooled = { page, context, scripts: [], devTools: await context.newCDPSession(page), isSpoilt: false }
  watchUse(pooled)
  return pooled
}

/** Returns a page that showed pages of the origin of `quiet`, or closes it. `quiet`: address without script. */
export const returnPage = async (browser: Browser, pooled: PooledPage, quiet: string): Promise<void> => {
  const { context, devTools, page, scripts } = pooled
  if (pooled.isSpoilt || page.isClosed() || !browser.isConnected()) return context.close()
  for (const one of [page, context]) {
    for (const event of events) one.removeAllListeners(event)
    await one.unrouteAll({ behavior: "ignoreErrors" })
  }
  for (const other of context.pages()) if (other !== page) await other.close()
  // Ends the test's page. For an address of another site, such as about:blank, the browser would start a new process.
  await page.goto(quiet, { waitUntil: "commit" })
  await page.evaluate(() => sessionStorage.clear())
  for (const script of scripts.splice(0)) await script.dispose()
  await context.clearCookies()
  await context.clearPermissions()
  await devTools.send("Storage.clearDataForOrigin", { origin: new URL(quiet).origin, storageTypes: storages })
  const { height, width } = page.viewportSize()!
  if (width !== viewport.width || height !== viewport.height) await page.setViewportSize(viewport)
  await page.mouse.move(-1, -1)
  const pools = (worker[shared] ??= new WeakMap())
  pools.set(browser, [...(pools.get(browser) ?? []), pooled])
}

/** Notes what a test does to the page and its context. */
const watchUse = (pooled: PooledPage): void => {
  for (const one of [pooled.page, pooled.context] as const) {
    const spoils = Object.fromEntries(
      spoiling.flatMap((name) => {
        const original: unknown = Reflect.get(one, name)
        if (typeof original !== "function") return []
        const wrapped = (...args: ReadonlyArray<unknown>): unknown => {
          pooled.isSpoilt = true
          return Reflect.apply(original, one, args)
        }
        return [[name, wrapped]]
      })
    )
    const addInitScript = one.addInitScript.bind(one)
    const recorded: Page["addInitScript"] = async (...given) => {
      const script = await addInitScript(...given)
      pooled.scripts.push(script)
      return script
    }
    Object.assign(one, { ...spoils, addInitScript: recorded })
  }
  const { clock } = pooled.context
  const install = clock.install.bind(clock)
  Object.assign(clock, {
    install: (...given: Parameters<typeof install>) => {
      pooled.isSpoilt = true
      return install(...given)
    }
  })
}
