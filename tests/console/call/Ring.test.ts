import { afterEach, beforeEach, expect, it, vi } from "vitest"

/** Answers like a browser that lets sound begin after a press only. */
class Context {
  static made: Array<Context> = []
  static isAllowed = false
  state: AudioContextState = "suspended"
  currentTime = 0
  destination = {}
  onstatechange = () => {}
  constructor() {
    Context.made.push(this)
  }
  createGain = () => ({
    gain: { setValueAtTime: () => {}, linearRampToValueAtTime: () => {} },
    connect: () => {},
    disconnect: () => {}
  })
  createOscillator = () => {
    const made: Oscillator = {
      frequency: { value: 0 },
      connect: (to) => to,
      disconnect: () => {},
      start: () => {},
      stop: () => {},
      onended: () => {}
    }
    oscillators.push(made)
    return made
  }
  resume = async () => Context.isAllowed && this.#become("running")
  suspend = async () => this.#become("suspended")
  async #become(state: AudioContextState) {
    await Promise.resolve()
    if (this.state === state) return
    this.state = state
    this.onstatechange()
  }
}

interface Oscillator {
  frequency: { value: number }
  connect: (to: { readonly connect: () => void }) => { readonly connect: () => void }
  disconnect: () => void
  start: () => void
  stop: () => void
  onended: () => void
}

let oscillators: Array<Oscillator> = []
let presses: Array<() => void> = []
const press = () => presses.forEach((one) => one())
const moment = () => new Promise((resolve) => setImmediate(resolve))
const fresh = async () => {
  vi.resetModules()
  return import("../../../console/call/Ring.ts")
}

beforeEach(() => {
  oscillators = []
  presses = []
  Object.assign(Context, { made: [], isAllowed: false })
  vi.stubGlobal("AudioContext", Context)
  vi.stubGlobal("addEventListener", (_: string, heard: () => void) => presses.push(heard))
  vi.stubGlobal("removeEventListener", () => (presses = []))
})
afterEach(() => vi.unstubAllGlobals())

it("keeps the audio device only while it rings", async () => {
  const { prepare, ring } = await fresh()
  const remove = prepare()
  Context.isAllowed = true
  press()
  await moment()
  const [context] = Context.made
  expect(context!.state).toBe("suspended")
  const [quiet, quietToo] = [ring(), ring()]
  await moment()
  expect(context!.state).toBe("running")
  quiet()
  quiet()
  await moment()
  expect(context!.state).toBe("running")
  quietToo()
  await moment()
  expect(context!.state).toBe("suspended")
  // The time of the ring is over.
  ring()
  await moment()
  expect(context!.state).toBe("running")
  oscillators.at(-1)!.onended()
  await moment()
  expect(context!.state).toBe("suspended")
  expect(Context.made.length).toBe(1)
  remove()
})

it("rings when a call comes while the context is being stopped", async () => {
  const { ring } = await fresh()
  Context.isAllowed = true
  const quiet = ring()
  await moment()
  quiet()
  ring()
  await moment()
  expect(Context.made[0]!.state).toBe("running")
})

it("says that the browser blocks sound, until a key is pressed", async () => {
  const { prepare, ring, silent } = await fresh()
  prepare()
  const quiet = ring()
  await moment()
  expect(silent.value).toBe(true)
  Context.isAllowed = true
  press()
  await moment()
  expect([silent.value, Context.made[0]!.state]).toEqual([false, "running"])
  quiet()
  await moment()
  ring()
  expect(silent.value).toBe(false)
})
