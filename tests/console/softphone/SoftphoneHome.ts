/**
 * The console with a switch's WebSocket behind it, fake microphones, and people with extensions. Replaces
 * `consoleTests()`.
 */
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, vi } from "vitest"
import type { Daemon } from "#core/daemon/Daemon.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { sipConfig } from "#daemons/sip-config/Daemon.ts"
import { type Console, consoleTests, type ConsoleUser } from "#support/console/Console.ts"
import { SipRegistrar } from "#support/switch/SipRegistrar.ts"
import { callsAs } from "../pages/telephony/Telephony.ts"

export interface SoftphoneHome {
  readonly console: Console
  readonly registrar: () => SipRegistrar
  /** Stops the registrar, runs `meanwhile`, and starts it again on the same port. */
  readonly restart: (meanwhile: () => Promise<unknown>) => Promise<void>
  /** Creates a person with an extension that the switch knows, in a tenant. */
  readonly person: (extension: string, options: PersonOptions) => Promise<Person>
  /** Opens a page as this person. `on`: also turns the softphone on. */
  readonly open: (person: Person, path?: string, on?: boolean) => Promise<Page>
}

export interface PersonOptions {
  readonly name: string
  readonly tenant: number
  readonly role?: string
  readonly domain: string
}

export interface Person extends ConsoleUser {
  readonly extension: string
  readonly extensionId: number
  readonly password: string
  /** API calls as an admin of the tenant. */
  readonly ask: Awaited<ReturnType<typeof callsAs>>
}

/** Daemons that the pages of these tests need. */
export const telephoning: ReadonlyArray<Daemon> = [identity, commDispatcher, sipConfig]

/** Browser arguments: a microphone that beeps once a second, permitted without a prompt. */
export const fakeMicrophone: ReadonlyArray<string> = [
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream"
]

/** Timeout for a loaded machine. Unit: milliseconds. */
export const patient = { timeout: 20_000, interval: 50 }

/** Records the page's peer connections and audio players, and counts started rings and how long they were to last. */
const spy = () => {
  const peers: Array<RTCPeerConnection> = []
  const players: Array<HTMLAudioElement> = []
  Object.assign(globalThis, { peers, players, rings: 0, ringSeconds: 0 })
  globalThis.Audio = class extends Audio {
    constructor(source?: string) {
      super(source)
      players.push(this)
    }
  }
  const { start, stop } = OscillatorNode.prototype
  OscillatorNode.prototype.start = function (when) {
    ;(globalThis as unknown as { rings: number }).rings++
    start.call(this, when)
  }
  OscillatorNode.prototype.stop = function (when) {
    if (when !== undefined)
      (globalThis as unknown as { ringSeconds: number }).ringSeconds = Math.round(when - this.context.currentTime)
    stop.call(this, when)
  }
  const Original = RTCPeerConnection
  globalThis.RTCPeerConnection = class extends Original {
    constructor(...given: ConstructorParameters<typeof RTCPeerConnection>) {
      super(...given)
      peers.push(this)
    }
  }
}

export const softphoneHome = (): SoftphoneHome => {
  const env: Record<string, string> = {}
  let registrar: SipRegistrar
  beforeAll(async () => {
    registrar = await SipRegistrar.start()
    env["SIGNALBOX_SIP_WS_URL"] = registrar.url
  })
  afterAll(() => registrar.stop())
  const console = consoleTests({ env, daemons: telephoning, browserArgs: fakeMicrophone })
  return {
    console,
    registrar: () => registrar,
    restart: async (meanwhile) => {
      const { passwords, url } = registrar
      await registrar.stop()
      await meanwhile()
      registrar = await SipRegistrar.start(Number(new URL(url).port))
      for (const [user, password] of passwords) registrar.passwords.set(user, password)
    },
    person: async (extension, options) => {
      const made = await person(console, extension, options)
      registrar.passwords.set(extension, made.password)
      return made
    },
    open: (person, path, on) => openPhone(console, person, path, on)
  }
}

/** Creates a person with an extension. */
export const person = async (
  console: Console,
  extension: string,
  { domain, name, role = "admin", tenant }: PersonOptions
): Promise<Person> => {
  const user = await console.user({ name, tenant, role })
  const ask = await callsAs(console, role === "admin" ? user : await console.user({ tenant, role: "admin" }))
  const made = await ask("POST", "/api/v1/sip/extensions", { extension, name, domain, user_id: user.id })
  if (made.domain_state === "pending") {
    const { items } = await ask("GET", `/api/v1/sip/domains?domain=${made.domain}`)
    const provider = await callsAs(console, await console.user({ role: "admin" }))
    await provider("POST", `/api/v1/sip/domains/${items[0].id}/assert`)
  }
  const { password } = await (await callsAs(console, user))("GET", `/api/v1/sip/extensions/mine/${made.id}/config`)
  return { ...user, extension, extensionId: made.id, password, ask }
}

/** Opens a page as this person. `on`: also turns the softphone on. */
export const openPhone = async (console: Console, person: Person, path = "/phone", on = true): Promise<Page> => {
  const page = await console.open(person, path, {
    permissions: ["microphone"],
    before: (page) => page.addInitScript(spy)
  })
  if (!on) return page
  await page.getByRole("button", { name: "Turn on" }).click()
  await page.getByText("registered", { exact: true }).waitFor()
  return page
}

export const poll = <A>(read: () => A | Promise<A>) => expect.poll(read, patient)
export const until = (look: () => unknown) => vi.waitUntil(look, patient)

/** Number of rings that started on a page. */
export const rings = (page: Page) => page.evaluate(() => (globalThis as unknown as { readonly rings: number }).rings)

/** Planned length of the last ring of a page. Unit: seconds. */
export const ringSeconds = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { readonly ringSeconds: number }).ringSeconds)

/** Traffic and codec of the page's last peer connection. Unit: bytes. */
export const traffic = (page: Page) =>
  page.evaluate(async () => {
    const peer = (globalThis as unknown as { readonly peers: ReadonlyArray<RTCPeerConnection> }).peers.at(-1)
    const found = { sent: 0, received: 0, codec: "" }
    for (const one of (await peer?.getStats())?.values() ?? []) {
      if (one.type === "outbound-rtp") found.sent = one.bytesSent
      if (one.type === "inbound-rtp") found.received = one.bytesReceived
      if (one.type === "codec") found.codec = one.mimeType
    }
    return found
  })

/**
 * Analyses the audio that the page's last connection receives: keys by their two tones (ITU-T Q.23), and the peak level
 * since the last reading. Reads the samples themselves, which wait for a busy page: a timer that looks at the present
 * sound misses keys on a loaded machine.
 */
export const listen = (page: Page) =>
  page.evaluate(() => {
    // Length of a block, and distance to the next one. Unit: samples. Reason: 40 ms tell neighbouring tones apart.
    const [length, step] = [1_920, 960]
    const { MediaStreamTrackProcessor, peers } = globalThis as unknown as {
      readonly peers: ReadonlyArray<RTCPeerConnection>
      // Not in TypeScript's declarations.
      readonly MediaStreamTrackProcessor: new (options: {
        readonly track: MediaStreamTrack
        readonly maxBufferSize: number
      }) => { readonly readable: ReadableStream<AudioData> }
    }
    const [rows, columns] = [
      [697, 770, 852, 941],
      [1209, 1336, 1477]
    ]
    const ear = { keys: "", loudest: 0 }
    /** Amplitude of a frequency, by Goertzel's algorithm. */
    const strength = (samples: Float32Array, frequency: number, rate: number) => {
      const factor = 2 * Math.cos((2 * Math.PI * frequency) / rate)
      let [last, lastButOne] = [0, 0]
      for (const value of samples) [last, lastButOne] = [value + factor * last - lastButOne, last]
      return (2 * Math.sqrt(last ** 2 + lastButOne ** 2 - factor * last * lastButOne)) / samples.length
    }
    /**
     * Index of the frequency that is far above the others. The start and end of a tone also resemble neighbouring ones.
     */
    const strongest = (samples: Float32Array, all: ReadonlyArray<number>, rate: number): number | undefined => {
      const [best, next] = all
        .map((frequency, at) => [strength(samples, frequency, rate), at] as const)
        .toSorted(([a], [b]) => b - a)
      return best![0] > 0.02 && best![0] > 3 * next![0] ? best![1] : undefined
    }
    let seen = { key: "", isTold: true }
    const hear = (samples: Float32Array, rate: number) => {
      const [row, column] = [strongest(samples, rows!, rate), strongest(samples, columns!, rate)]
      const key = row === undefined || column === undefined ? "" : ["123", "456", "789", "*0#"][row]![column]!
      if (key !== seen.key) seen = { key, isTold: key === "" }
      else if (!seen.isTold) {
        seen.isTold = true
        ear.keys += key
      }
    }
    const listenOn = async () => {
      const [receiver] = peers.at(-1)!.getReceivers()
      // Room for 10 s of 10 ms each.
      const { readable } = new MediaStreamTrackProcessor({ track: receiver!.track, maxBufferSize: 1_000 })
      const block = new Float32Array(length)
      let filled = 0
      for (const reader = readable.getReader(); ;) {
        const { value: data } = await reader.read()
        if (data === undefined) return
        const samples = new Float32Array(data.numberOfFrames)
        data.copyTo(samples, { planeIndex: 0, format: "f32-planar" })
        for (const value of samples) {
          ear.loudest = Math.max(ear.loudest, Math.abs(value))
          block[filled++] = value
          if (filled < length) continue
          hear(block, data.sampleRate)
          block.copyWithin(0, step)
          filled = length - step
        }
        data.close()
      }
    }
    void listenOn()
    Object.assign(globalThis, { ear })
  })

export const heard = (page: Page) =>
  page.evaluate(() => {
    const { ear } = globalThis as unknown as { readonly ear: { keys: string; loudest: number } }
    const { keys, loudest } = ear
    ear.loudest = 0
    return { keys, loudest }
  })

/** Restores language and theme after `checkPage`. */
export const english = (page: Page) =>
  page.evaluate(() => {
    for (const [name, value] of [
      ["language", "en"],
      ["theme", "light"]
    ]) {
      const select = document.querySelector<HTMLSelectElement>(`select[name="${name}"]`)!
      select.value = value!
      select.dispatchEvent(new Event("change", { bubbles: true }))
    }
  })

/** Registration state as the page shows it. */
export const state = (page: Page) => page.getByRole("region", { name: "Phone", exact: true }).locator(".badge")
