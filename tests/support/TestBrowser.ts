/**
 * Headless browsers for tests. Test files of one worker process share a browser for each set of arguments, because a
 * start costs about a second of processor time; each test has its own browser context. A browser ends with its process.
 */
import { type Browser, chromium } from "playwright-core"
import { requirePeer } from "./peers/install.ts"

/** Arguments of every browser: tests run as root, without graphics card, and with local servers only. */
const commonArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-proxy-server",
  "--disable-component-update",
  "--disable-background-networking"
]

/** Shared over all files of the process, also when each file has its own modules. */
const shared = Symbol.for("signalbox.test.browsers")
const worker = globalThis as { [shared]?: Map<string, Promise<Browser>> }

/** A browser of this test process. Undefined when it is not installed; with `CI` set this throws. Do not close it. */
export const sharedBrowser = async (args: ReadonlyArray<string> = []): Promise<Browser | undefined> => {
  const found = requirePeer("chromium")
  if (!found.available) return undefined
  const browsers = (worker[shared] ??= new Map())
  const key = args.join(" ")
  const known = await browsers.get(key)
  if (known?.isConnected() === true) return known
  const started = launch(args)
  browsers.set(key, started)
  return started
}

/** A separate browser, for arguments that fit one test only. The caller closes it. */
export const launch = (args: ReadonlyArray<string> = []): Promise<Browser> => {
  const found = requirePeer("chromium")
  if (!found.available) throw new Error(found.reason)
  return chromium.launch({ executablePath: found.path, args: [...commonArguments, ...args] })
}
