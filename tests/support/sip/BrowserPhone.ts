/**
 * Telephones in a real Chromium, each a page of its own that TlsFront serves; the microphone is the browser's made-up
 * one, a beep a second.
 */
import { Effect } from "effect"
import { chromium } from "playwright-core"
import { poll } from "../peers/Loopback.ts"
import { requirePeer } from "../peers/install.ts"
import { PeerError } from "../peers/PeerError.ts"
import type { Account } from "./SipPlace.ts"

export type BrowserState = "idle" | "registered" | "called" | "calling" | "talking"

export interface BrowserPhone {
  readonly register: Effect.Effect<void>
  readonly call: (number: string) => Effect.Effect<void>
  readonly answer: Effect.Effect<void>
  readonly hangUp: Effect.Effect<void>
  readonly leave: Effect.Effect<void>
  /** Waits until it is so. */
  readonly is: (state: BrowserState) => Effect.Effect<void>
  /** What of the call was heard so far. `energy`: 0 is silence. */
  readonly heard: Effect.Effect<{ readonly packets: number; readonly energy: number }>
  /** As the other side described its audio. */
  readonly remoteDescription: Effect.Effect<string>
}

/** How long one thing may take. Unit: milliseconds. Reason: a browser on two loaded cores. */
const patience = 30_000

/**
 * A browser; its pages stay until the scope ends. `front`: the origin. `loopback`: whether sound may take that way,
 * beside the machine's own network; a telephone that knows one address of the other side only wants one way.
 */
export const make = Effect.fnUntraced(function* (front: string, loopback = true) {
  const found = requirePeer("chromium")
  if (!found.available) return yield* new PeerError({ peer: "chromium", reason: "NotInstalled", message: found.reason })
  const browser = yield* Effect.acquireRelease(
    Effect.promise(() =>
      chromium.launch({
        executablePath: found.path,
        args: [
          "--no-sandbox",
          "--disable-gpu",
          "--no-proxy-server",
          "--disable-component-update",
          "--use-fake-device-for-media-stream",
          "--use-fake-ui-for-media-stream",
          // Both telephones are on this machine.
          ...(loopback ? ["--allow-loopback-in-peer-connection"] : []),
          "--disable-features=WebRtcHideLocalIpsWithMdns",
          "--autoplay-policy=no-user-gesture-required"
        ]
      })
    ),
    (one) => Effect.promise(() => one.close())
  )
  return Effect.fnUntraced(function* ({ domain, password, user }: Account) {
    const page = yield* Effect.promise(async () => {
      // The test's authority is nobody's.
      const context = await browser.newContext({ ignoreHTTPSErrors: true, permissions: ["microphone"] })
      context.setDefaultTimeout(patience)
      const page = await context.newPage()
      await page.goto(`${front}/phone/`)
      await page.waitForFunction("globalThis.phone !== undefined")
      return page
    })
    const say = <A = void>(what: string, ...values: ReadonlyArray<string>): Effect.Effect<A> =>
      Effect.promise(() =>
        page.evaluate(([what, values]) => (globalThis as any).phone[what](...values), [what, values] as const)
      )
    return {
      register: say("register", user, domain, password),
      call: (number) => say("call", number),
      answer: say("answer"),
      hangUp: say("hangUp"),
      leave: say("leave"),
      heard: say("heard"),
      remoteDescription: say("remoteDescription"),
      is: (state) =>
        Effect.promise(async () => {
          const ask = (): Promise<string> => page.evaluate(() => (globalThis as any).phone.state())
          if ((await poll(async () => (await ask()) === state || undefined, patience)) !== true)
            throw new Error(`${user} is ${await ask()}, not ${state}`)
        })
    } satisfies BrowserPhone as BrowserPhone
  })
})
