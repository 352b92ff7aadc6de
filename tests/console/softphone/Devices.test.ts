/**
 * Changes of microphone and speaker during a call, and a microphone that disappears, in a browser with three fake
 * devices of each kind.
 */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { heard, listen, type Person, poll, softphoneHome, until } from "./SoftphoneHome.ts"

const home = softphoneHome()

interface Spied {
  readonly peers: ReadonlyArray<RTCPeerConnection>
  readonly players: ReadonlyArray<HTMLAudioElement>
  /** All microphone tracks that the page got, oldest first. */
  readonly microphones: ReadonlyArray<MediaStreamTrack>
}

/** Records the microphone tracks that the page gets from now on. */
const keepMicrophones = (page: Page) =>
  page.evaluate(() => {
    const microphones: Array<MediaStreamTrack> = []
    Object.assign(globalThis, { microphones })
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      const stream = await ask(wanted)
      microphones.push(...stream.getAudioTracks())
      return stream
    }
  })

/** Track that the page's call sends. */
const spoken = (page: Page) =>
  page.evaluate(() => {
    const { enabled, label, readyState } = (globalThis as unknown as Spied).peers.at(-1)!.getSenders()[0]!.track!
    return { label, enabled, readyState }
  })

/** Labels of the microphones that the page still uses. */
const open = (page: Page) =>
  page.evaluate(() =>
    (globalThis as unknown as Spied).microphones
      .filter(({ readyState }) => readyState === "live")
      .map(({ label }) => label)
  )

/**
 * Audio energy sent (`spoken`) and received (`heard`) by the page. Silence adds nothing. Unit: that of RTP statistics.
 */
const energy = (page: Page) =>
  page.evaluate(async () => {
    const found = { spoken: 0, heard: 0, packets: 0 }
    for (const one of (await (globalThis as unknown as Spied).peers.at(-1)!.getStats()).values()) {
      if (one.type === "media-source") found.spoken = one.totalAudioEnergy
      if (one.type === "inbound-rtp")
        Object.assign(found, { heard: one.totalAudioEnergy, packets: one.packetsReceived })
    }
    return found
  })

const hears = async (page: Page) => {
  const before = await energy(page)
  await until(async () => (await energy(page)).heard > before.heard)
}

/** Checks sent audio and packets, because after `pullOut` the browser of both pages plays no sound. */
const speaks = async (page: Page, to: Page) => {
  const before = [await energy(page), await energy(to)] as const
  await until(
    async () => (await energy(page)).spoken > before[0].spoken && (await energy(to)).packets > before[1].packets
  )
}

const speaker = async (page: Page) => {
  const id = await page.evaluate(
    () => (globalThis as unknown as Spied).players.find(({ srcObject }) => srcObject !== null)!.sinkId
  )
  const all = await page.evaluate(async () =>
    (await navigator.mediaDevices.enumerateDevices()).map(({ deviceId, label }) => [deviceId, label])
  )
  return all.find(([deviceId, label]) => deviceId === id && label!.includes("Output"))?.[1] ?? id
}

const invites = () => home.registrar().heard.filter((line) => line.startsWith("INVITE")).length

/** Kills the browser's audio process, as if all microphones were unplugged. The browser starts a new one on demand. */
const pullOut = async (page: Page) => {
  const { processInfo } = await (
    await page.context().browser()!.newBrowserCDPSession()
  ).send("SystemInfo.getProcessInfo")
  process.kill(processInfo.find(({ type }) => type === "audio.mojom.AudioService")!.id, "SIGKILL")
}

/** Establishes a call from `a`. */
const talking = async (a: Page, b: Page, ben: Person) => {
  await a.getByLabel("Number or extension").fill(ben.extension)
  await a.keyboard.press("Enter")
  await b.getByRole("alertdialog").getByRole("button", { name: "Answer" }).press("Enter")
  for (const page of [a, b]) await page.getByRole("region", { name: "Call" }).getByText("connected").waitFor()
}

const two = async (first: number) => {
  const tenant = await home.console.tenant()
  const domain = `voice${first}.example.org`
  const ann = await home.person(String(first), { name: "Ann Example", tenant, domain })
  const ben = await home.person(String(first + 1), { name: "Ben Example", tenant, domain })
  const [a, b] = [await home.open(ann), await home.open(ben)]
  for (const page of [a, b]) await keepMicrophones(page)
  return {
    a,
    b,
    ben,
    bar: a.getByRole("region", { name: "Call" }),
    choice: (name: "Microphone" | "Speaker") => a.getByRole("combobox", { name, exact: true })
  }
}

describe("the softphone's devices", () => {
  it("changes over to another microphone and another speaker in the middle of a call, muted and held as it was", async () => {
    const { a, b, bar, ben, choice } = await two(1501)
    await talking(a, b, ben)
    expect(await spoken(a)).toEqual({ label: "Fake Default Audio Input", enabled: true, readyState: "live" })
    await hears(b)
    const asked = invites()

    await choice("Microphone").selectOption({ label: "Fake Audio Input 2" })
    await poll(() => spoken(a)).toEqual({ label: "Fake Audio Input 2", enabled: true, readyState: "live" })
    // The previous microphone is released. The other side still hears, without a new negotiation.
    await poll(() => open(a)).toEqual(["Fake Audio Input 2"])
    await hears(b)
    await hears(a)
    expect(invites()).toBe(asked)

    expect(await speaker(a)).toBe("")
    await choice("Speaker").selectOption({ label: "Fake Audio Output 1" })
    await poll(() => speaker(a)).toBe("Fake Audio Output 1")
    await choice("Speaker").selectOption("")
    await poll(() => speaker(a)).toBe("")

    await listen(b)
    await poll(async () => (await heard(b)).loudest).toBeGreaterThan(0.01)
    const mute = bar.getByRole("button", { name: "Mute" })
    await mute.press("Enter")
    await choice("Microphone").selectOption({ label: "Fake Audio Input 1" })
    await poll(() => spoken(a)).toEqual({ label: "Fake Audio Input 1", enabled: false, readyState: "live" })
    await poll(async () => (await heard(b)).loudest).toBeLessThan(0.001)
    await mute.press("Enter")
    await poll(() => spoken(a)).toMatchObject({ enabled: true })
    await poll(async () => (await heard(b)).loudest).toBeGreaterThan(0.01)

    const hold = bar.getByRole("button", { name: "Hold" })
    await hold.press("Enter")
    await bar.getByText("on hold").waitFor()
    await choice("Microphone").selectOption("")
    await poll(() => spoken(a)).toEqual({ label: "Fake Default Audio Input", enabled: false, readyState: "live" })
    await poll(async () => (await heard(b)).loudest).toBeLessThan(0.001)
    await hold.press("Enter")
    await bar.getByText("connected").waitFor()
    expect(await spoken(a)).toEqual({ label: "Fake Default Audio Input", enabled: true, readyState: "live" })
    await poll(async () => (await heard(b)).loudest).toBeGreaterThan(0.01)
    await bar.getByRole("button", { name: "Hang up" }).press("Enter")
    await bar.getByText("Call ended.").waitFor()
    for (const page of [a, b]) await poll(() => open(page)).toEqual([])
  }, 120_000)

  it("takes the microphone that is chosen while it rings there", async () => {
    const { a, b, bar, ben, choice } = await two(1511)
    await a.getByLabel("Number or extension").fill(ben.extension)
    await a.keyboard.press("Enter")
    await bar.getByText("rings there").waitFor()
    await choice("Microphone").selectOption({ label: "Fake Audio Input 1" })
    await poll(() => open(a)).toEqual(["Fake Audio Input 1"])
    await b.getByRole("alertdialog").getByRole("button", { name: "Answer" }).press("Enter")
    await bar.getByText("connected").waitFor()
    expect(await spoken(a)).toEqual({ label: "Fake Audio Input 1", enabled: true, readyState: "live" })
    await hears(b)
  }, 120_000)

  it("goes on with another microphone when one goes away, and is muted where there is none", async () => {
    const { a, b, bar, ben, choice } = await two(1521)
    await choice("Microphone").selectOption({ label: "Fake Audio Input 2" })
    await talking(a, b, ben)
    await hears(b)
    const count = (page: Page) => page.evaluate(() => (globalThis as unknown as Spied).microphones.length)
    home.console.expecting(/AudioContext encountered an error from the audio device/)
    const got = [await count(a), await count(b)]
    await pullOut(a)
    for (const [at, page] of [a, b].entries()) {
      await until(async () => (await count(page)) > got[at]!)
      await poll(() => spoken(page)).toMatchObject({ enabled: true, readyState: "live" })
    }
    expect((await spoken(a)).label).toBe("Fake Audio Input 2")
    await speaks(a, b)
    await speaks(b, a)

    // The last microphone disappears: the call shows that nothing is sent, and continues when a microphone returns.
    await a.evaluate(() => {
      const { mediaDevices } = navigator
      const ask = mediaDevices.getUserMedia
      mediaDevices.getUserMedia = () => Promise.reject(new DOMException("none", "NotFoundError"))
      Object.assign(globalThis, { plugIn: () => void (mediaDevices.getUserMedia = ask) })
    })
    await pullOut(a)
    const mute = bar.getByRole("button", { name: "Mute" })
    await poll(() => mute.getAttribute("aria-pressed")).toBe("true")
    expect(await spoken(a)).toMatchObject({ enabled: false, readyState: "ended" })
    await a.evaluate(() => (globalThis as unknown as { readonly plugIn: () => void }).plugIn())
    await mute.press("Enter")
    await poll(() => spoken(a)).toEqual({ label: "Fake Audio Input 2", enabled: true, readyState: "live" })
    expect(await mute.getAttribute("aria-pressed")).toBe("false")
    await speaks(a, b)
  }, 120_000)
})
