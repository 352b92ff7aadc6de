/**
 * Telephones in a real Chromium, one page each, served by TlsFront. The microphone is the browser's fake device, which
 * beeps once a second.
 */
import { Effect } from "effect"
import { poll } from "../peers/Loopback.ts"
import { requirePeer } from "../peers/install.ts"
import { PeerError } from "../peers/PeerError.ts"
import { launch } from "../TestBrowser.ts"
import type { Account } from "./SipPlace.ts"

export type BrowserState = "idle" | "registered" | "called" | "calling" | "talking"

export interface BrowserPhone {
  readonly register: Effect.Effect<void>
  readonly call: (number: string) => Effect.Effect<void>
  readonly answer: Effect.Effect<void>
  readonly hangUp: Effect.Effect<void>
  readonly leave: Effect.Effect<void>
  /** Waits until the telephone has this state. */
  readonly is: (state: BrowserState) => Effect.Effect<void>
  /** Sound received in the call so far. `energy`: 0 is silence. */
  readonly heard: Effect.Effect<{ readonly packets: number; readonly energy: number }>
  /** Session description (SDP) from the other side. */
  readonly remoteDescription: Effect.Effect<string>
}

/** Longest wait for a step. Unit: milliseconds. Reason: a browser on two loaded cores. */
const patience = 30_000

/**
 * Starts a browser; its pages stay until the scope ends. `front`: origin of the page. `loopback`: whether ICE may use
 * loopback addresses. Set it to false for peers that know only one address of the other side and need a single path.
 */
export const make = Effect.fnUntraced(function* (front: string, loopback = true) {
  const found = requirePeer("chromium")
  if (!found.available) return yield* new PeerError({ peer: "chromium", reason: "NotInstalled", message: found.reason })
  const browser = yield* Effect.acquireRelease(
    Effect.promise(() =>
      launch([
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        // Both telephones run on this machine.
        ...(loopback ? ["--allow-loopback-in-peer-connection"] : []),
        "--disable-features=WebRtcHideLocalIpsWithMdns",
        "--autoplay-policy=no-user-gesture-required"
      ])
    ),
    (one) => Effect.promise(() => one.close())
  )
  return Effect.fnUntraced(function* ({ domain, password, user }: Account) {
    const page = yield* Effect.promise(async () => {
      // The browser does not trust the test's certificate authority.
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
