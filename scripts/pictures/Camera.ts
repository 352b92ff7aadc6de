/** Opens pages and takes pictures: a full one of the whole page, and a small one of its beginning. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { fileOf, type Language, type Scheme, type Subject } from "./Shots.ts"

/** Height of the window. Unit: CSS pixels. */
const height = 900
/** Tallest picture. Unit: CSS pixels. Reason: a list of a thousand rows shows nothing more. */
const tallest = 4_000
/** Width of small pictures. Unit: pixels. */
const smallWidth = 240
/** Quality of JPEG. Unit: percent. Reason: small text stays readable. */
const quality = 70
/** Longest wait for a page. Unit: milliseconds. Reason: a loaded machine. */
const patience = 20_000

export interface Camera {
  readonly page: Page
  readonly open: (subject: Subject) => Promise<void>
  /** Takes the present page at each width and scheme. Calls `taken` after each picture. */
  readonly take: (name: string, taken: (file: string) => void) => Promise<void>
  readonly close: () => Promise<void>
}

export interface CameraOptions {
  readonly browser: Browser
  readonly base: string
  readonly folder: string
  readonly language: Language
  readonly schemes: ReadonlyArray<Scheme>
  readonly widths: ReadonlyArray<number>
  /** Signs in. Undefined: nobody is signed in. */
  readonly user?: { readonly email: string; readonly password: string }
}

/** Number of consecutive looks that must find the content. Reason: a part that is loaded may request another one. */
const calmLooks = 3
/** Time between looks. Unit: milliseconds. */
const look = 50

/** Waits until the page has its content; a page that never has it is taken as it is. */
const settled = async (page: Page): Promise<void> => {
  const until = performance.now() + patience
  for (let calm = 0; calm < calmLooks && performance.now() < until;) {
    const isCalm = await page
      .evaluate(() => document.querySelector("h1") !== null && document.querySelector(".waiting") === null)
      .catch(() => false)
    calm = isCalm ? calm + 1 : 0
    await page.waitForTimeout(look)
  }
}

const contextOf = async ({ browser, language }: CameraOptions): Promise<BrowserContext> => {
  const context = await browser.newContext({
    locale: language === "de" ? "de-DE" : "en-GB",
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce",
    viewport: { width: 1440, height }
  })
  context.setDefaultTimeout(patience)
  await context.addInitScript((language) => {
    if (window.top === window && location.protocol.startsWith("http"))
      localStorage.setItem("signalbox.language", language)
  }, language)
  return context
}

/**
 * Signs in with a new session. Reason: a page that is left while it renews its session loses the cookie of the next
 * page.
 */
const signIn = async (context: BrowserContext, { base, user }: CameraOptions): Promise<void> => {
  if (user === undefined) return
  const answer = await context.request.post(`${base}/api/v1/auth/login`, { data: { ...user, cookie: true } })
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`)
}

export const makeCamera = async (options: CameraOptions): Promise<Camera> => {
  const { base, folder, language, schemes, widths } = options
  for (const part of ["full", "small"]) mkdirSync(join(folder, part), { recursive: true })
  const context = await contextOf(options)
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  const small = async (width: number): Promise<Buffer> => {
    const { data } = await devTools.send("Page.captureScreenshot", {
      format: "jpeg",
      quality,
      clip: { x: 0, y: 0, width, height, scale: smallWidth / width }
    })
    return Buffer.from(data, "base64")
  }
  return {
    page,
    open: async ({ address }) => {
      const url = new URL(address, base)
      // Pages of other parts choose their language by the address.
      if (!url.pathname.startsWith("/console")) url.searchParams.set("lang", language)
      await page.goto("about:blank")
      await signIn(context, options)
      await page.goto(url.href)
      await settled(page)
    },
    take: async (name, taken) => {
      for (const width of widths) {
        await page.setViewportSize({ width, height })
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme })
          await settled(page)
          // A sticky header stands where the page is scrolled to.
          await page.evaluate(() => window.scrollTo(0, 0))
          const file = fileOf(name, language, colorScheme, width)
          const whole = await page.evaluate(() => document.documentElement.scrollHeight)
          const full = await page.screenshot({
            type: "jpeg",
            quality,
            fullPage: true,
            animations: "disabled",
            clip: { x: 0, y: 0, width, height: Math.min(Math.max(whole, height), tallest) }
          })
          writeFileSync(join(folder, "full", `${file}.jpg`), full)
          writeFileSync(join(folder, "small", `${file}.jpg`), await small(width))
          taken(file)
        }
      }
    },
    close: () => context.close()
  }
}
