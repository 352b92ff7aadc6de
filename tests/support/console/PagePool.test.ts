import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it } from "vitest"
import { sharedBrowser } from "../TestBrowser.ts"
import { returnPage, takePage } from "./PagePool.ts"

it("gives a page to the next test without anything of the last one", async (context) => {
  const browser = await sharedBrowser()
  if (browser === undefined) return context.skip("needs Chromium: apt install chromium-headless-shell")
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end("<h1>real</h1>"))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const first = await takePage(browser)
  const { page } = first
  let asked = 0
  await first.context.grantPermissions(["clipboard-read"])
  await first.context.addInitScript(() => void Object.assign(globalThis, { added: "context" }))
  await page.addInitScript(() => void Object.assign(globalThis, { addedToo: "page" }))
  await page.route("**/routed", (route) => route.fulfill({ contentType: "text/html", body: "<h1>routed</h1>" }))
  page.on("request", () => asked++)
  await page.goto(`${base}/routed`)
  const read = () =>
    page.evaluate(async () => ({
      heading: document.querySelector("h1")!.textContent,
      added: "added" in globalThis || "addedToo" in globalThis,
      cookie: document.cookie,
      stored: localStorage.length + sessionStorage.length + (await indexedDB.databases()).length,
      clipboard: (await navigator.permissions.query({ name: "clipboard-read" as PermissionName })).state,
      width: innerWidth
    }))
  await page.evaluate(async () => {
    document.cookie = "name=value"
    localStorage.setItem("name", "value")
    sessionStorage.setItem("name", "value")
    await new Promise((resolve) => (indexedDB.open("name").onsuccess = resolve))
  })
  await page.setViewportSize({ width: 320, height: 700 })
  const popup = page.waitForEvent("popup")
  await page.evaluate(() => void open("/other"))
  await popup
  const used = { heading: "routed", added: true, cookie: "name=value", stored: 3, clipboard: "granted", width: 320 }
  expect(await read()).toEqual(used)
  await returnPage(browser, first, `${base}/quiet`)
  const askedBefore = asked

  const second = await takePage(browser)
  expect(second.page).toBe(page)
  expect(second.context.pages()).toEqual([page])
  await page.goto(`${base}/routed`)
  const fresh = { heading: "real", added: false, cookie: "", stored: 0, clipboard: "prompt", width: 1280 }
  expect(await read()).toEqual(fresh)
  expect(asked).toBe(askedBefore)

  await page.clock.install()
  await returnPage(browser, second, `${base}/quiet`)
  expect(page.isClosed()).toBe(true)
  const third = await takePage(browser)
  await third.page.exposeFunction("told", () => {})
  await returnPage(browser, third, `${base}/quiet`)
  expect(third.page.isClosed()).toBe(true)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}, 120_000)
