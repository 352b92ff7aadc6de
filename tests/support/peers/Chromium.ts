/**
 * A headless Chromium that opens one page of a loopback server. All `.invalid` host names resolve to that server, which
 * records requests. Ends with the scope.
 */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { availability } from "./install.ts"

export interface Opened {
  /** Requested paths, without those of the pages themselves. */
  readonly asked: ReadonlyArray<string>
}

/** Longest time until the page reports its end. Unit: seconds. Reason: a first start on a loaded machine takes 10 s. */
const timeout = "60 seconds"

/**
 * Opens all pages at once, each in a frame without a Content-Security-Policy. Dispatches pointer and input events to
 * every element, then waits briefly. `net` in a page is `http://127.0.0.1:<port>/net`.
 */
export const open = (pages: ReadonlyArray<(net: string) => string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const asked: Array<string> = []
      let ended = () => {}
      const end = new Promise<void>((resolve) => (ended = resolve))
      let bodies: ReadonlyArray<string> = []
      const server = yield* Effect.acquireRelease(
        Effect.promise(
          () =>
            new Promise<ReturnType<typeof createServer>>((resolve) => {
              const made = createServer((request, response) => {
                const path = request.url ?? ""
                const at = /^\/page\/(\d+)$/.exec(path)?.[1]
                response.setHeader("content-type", "text/html; charset=utf-8")
                if (path === "/") return response.end(frames(bodies.length))
                if (at !== undefined)
                  return response.end(`<!doctype html><meta charset=utf-8><body>${bodies[Number(at)]}`)
                response.end()
                if (path === "/end") ended()
                else if (path !== "/favicon.ico") asked.push(path)
              }).listen(0, "127.0.0.1", () => resolve(made))
            })
        ),
        (server) =>
          Effect.promise(
            () =>
              new Promise((resolve) => {
                server.closeAllConnections()
                server.close(resolve)
              })
          )
      )
      const port = (server.address() as AddressInfo).port
      bodies = pages.map((page) => page(`http://127.0.0.1:${port}/net`))
      yield* browser(port)
      yield* Effect.promise(() => end).pipe(Effect.timeout(timeout))
      return { asked } satisfies Opened
    })
  )

const browser = (port: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const found = availability("chromium")
      if (!found.available) throw new Error(found.reason)
      const home = mkdtempSync(join(tmpdir(), "signalbox-browser-"))
      const child = spawn(
        found.path,
        [
          "--headless=new",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-dev-shm-usage",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--disable-default-apps",
          "--autoplay-policy=no-user-gesture-required",
          "--no-proxy-server",
          // Host names of the pages resolve to the server. All others fail, because Chromium contacts its own services
          // regardless of other flags.
          `--host-resolver-rules=MAP *.invalid 127.0.0.1:${port},MAP * ~NOTFOUND,EXCLUDE 127.0.0.1`,
          `--user-data-dir=${home}`,
          "--remote-debugging-port=0",
          `http://127.0.0.1:${port}/`
        ],
        { stdio: "ignore", detached: true, env: { ...process.env, HOME: home } }
      )
      const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()).once("error", () => resolve()))
      return { child, gone, home }
    }),
    ({ child, gone, home }) =>
      Effect.promise(async () => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
        } catch {
          // The process group has already ended.
        }
        await gone
        rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
      })
  )

/** The outer page: frames, simulated events, and the final report. */
const frames = (
  count: number
): string => `<!doctype html><body>${Array.from({ length: count }, (_, at) => `<iframe src="/page/${at}"></iframe>`).join("")}
<script>
const names = ["mouseover", "mouseenter", "pointerenter", "focus", "input", "change", "toggle", "animationstart"]
addEventListener("load", async () => {
  for (const frame of document.querySelectorAll("iframe")) {
    try {
      const page = frame.contentDocument
      for (const element of page.querySelectorAll("*")) {
        for (const name of names) element.dispatchEvent(new page.defaultView.Event(name, { bubbles: true }))
        if (/^[^a-z]*(java|vb)/i.test(element.getAttribute("href") ?? "")) element.click()
      }
    } catch {}
  }
  await new Promise((resolve) => setTimeout(resolve, 1500))
  fetch("/end")
})
</script>`
