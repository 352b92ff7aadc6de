// State of a worker process that a test can change for the next test file, and its comparison.

export interface ProcessState {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Number of listeners of `process` by event. */
  readonly listeners: ReadonlyMap<string, number>
  /** Number of active handles by kind, without those of the runner. */
  readonly handles: ReadonlyMap<string, number>
  /** Number of timers of tests that have not ended, by the function that started them. */
  readonly timers: ReadonlyMap<string, number>
  /** Global functions that fake timers and stubs replace. */
  readonly globals: ReadonlyMap<string, unknown>
}

/**
 * Handles that do not count: the runner's pipe to the main process, timers, files it loads; and connections, which a
 * client keeps for the next request and which disturb no other file. Listening servers count.
 */
const uncounted = new Set([
  "PipeWrap",
  "Timeout",
  "FSReqCallback",
  "FSReqPromise",
  "CloseReq",
  "TTYWrap",
  "TCPSocketWrap"
])
const stubbed = ["Date", "fetch", "setTimeout", "setInterval", "setImmediate", "WebSocket", "console", "crypto"]

/** Timers of tests by object. The runner's own timers are not in it, because it uses the original functions. */
const timersOf = Symbol.for("signalbox.test.timers")
const shared = globalThis as { [timersOf]?: Map<NodeJS.Timeout, string> }
const timers = (shared[timersOf] ??= new Map<NodeJS.Timeout, string>())

/** Records the timers that tests start from here on. Once per worker process. */
export const recordTimers = (): void => {
  for (const name of ["setTimeout", "setInterval"] as const) {
    const original = globalThis[name] as (...args: ReadonlyArray<unknown>) => NodeJS.Timeout
    const recorded = (...args: ReadonlyArray<unknown>): NodeJS.Timeout => {
      const timer = original(...args)
      timers.set(timer, name)
      return timer
    }
    // Keeps properties of the function, such as util.promisify.custom.
    Object.defineProperties(recorded, Object.getOwnPropertyDescriptors(original))
    Object.assign(globalThis, { [name]: recorded })
  }
}

/** Kinds of the timers that still run and keep the process alive. Forgets the ended ones. */
const runningTimers = (): ReadonlyArray<string> => {
  for (const timer of timers.keys()) if ((timer as { _destroyed?: boolean })._destroyed === true) timers.delete(timer)
  return [...timers].filter(([timer]) => timer.hasRef()).map(([, kind]) => kind)
}

/** Browsers of the worker by their arguments (TestBrowser.ts): each is a process that stays for later files. */
const browsers = Symbol.for("signalbox.test.browsers")
const browserCount = (): number => (globalThis as { [browsers]?: ReadonlyMap<string, unknown> })[browsers]?.size ?? 0

/** Events that playwright listens to once for all browsers. */
const ofBrowsers = new Set(["exit", "SIGINT", "SIGTERM", "SIGHUP"])

export const readState = (): ProcessState => ({
  env: { ...process.env },
  cwd: process.cwd(),
  listeners: new Map(
    process
      .eventNames()
      .map(String)
      .map((name) => [name, process.listenerCount(name) - (browserCount() > 0 && ofBrowsers.has(name) ? 1 : 0)])
  ),
  handles: new Map(
    [...Map.groupBy(process.getActiveResourcesInfo(), (kind) => kind)]
      .filter(([kind]) => !uncounted.has(kind))
      .map(([kind, all]) => [kind, all.length - (kind === "ProcessWrap" ? browserCount() : 0)])
  ),
  timers: new Map([...Map.groupBy(runningTimers(), (kind) => kind)].map(([kind, all]) => [kind, all.length])),
  globals: new Map(stubbed.map((name) => [name, (globalThis as Record<string, unknown>)[name]]))
})

/** What is different, one phrase each. Fewer listeners or handles than before are no difference. */
export const differences = (before: ProcessState, after: ProcessState): ReadonlyArray<string> => [
  ...[...new Set([...Object.keys(before.env), ...Object.keys(after.env)])]
    .filter((name) => before.env[name] !== after.env[name])
    .map((name) => `variable ${name}`),
  ...(before.cwd === after.cwd ? [] : ["working directory"]),
  ...more(before.listeners, after.listeners).map((name) => `listener of process event ${name}`),
  ...more(before.handles, after.handles).map((kind) => `handle ${kind}`),
  ...more(before.timers, after.timers),
  ...[...after.globals].filter(([name, value]) => before.globals.get(name) !== value).map(([name]) => `global ${name}`)
]

const more = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): ReadonlyArray<string> =>
  [...after].filter(([name, count]) => count > (before.get(name) ?? 0)).map(([name]) => name)
