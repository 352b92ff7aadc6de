/** Two people call each other with their browsers: real WebRTC, through the daemon's WebSocket and the switch's. */
import { describe, expect, it } from "vitest"
import { checkPage } from "#support/console/CheckPage.ts"
import { english, heard, listen, poll, rings, ringSeconds, softphoneHome, traffic, until } from "./SoftphoneHome.ts"

const home = softphoneHome()

/** Codecs and media direction of the page's last offer or answer, in order. */
const offered = (page: Parameters<typeof traffic>[0]) =>
  page.evaluate(() => {
    const peer = (globalThis as unknown as { readonly peers: ReadonlyArray<RTCPeerConnection> }).peers.at(-1)!
    const { sdp } = peer.localDescription!
    const line = /^m=audio \d+ (\S+) ([\d ]+)/m.exec(sdp)!
    const codecs = line[2]!.split(" ").map((id) => new RegExp(`^a=rtpmap:${id} ([^/\\s]+)`, "m").exec(sdp)![1]!)
    return {
      servers: peer.getConfiguration().iceServers,
      profile: line[1],
      codecs: [...new Set(codecs)],
      direction: /^a=(sendrecv|sendonly|recvonly|inactive)/m.exec(sdp)?.[1]
    }
  })

describe("the softphone", () => {
  it("calls another browser: rings, is answered, heard, muted, sends keys, holds and hangs up, by keyboard alone", async () => {
    const tenant = await home.console.tenant()
    const domain = "voice31.example.org"
    const ann = await home.person("1001", { name: "Ann Example", tenant, domain })
    const ben = await home.person("1002", { name: "Ben Example", role: "user", tenant, domain })
    const [a, b] = [await home.open(ann), await home.open(ben)]
    expect(home.registrar().registered).toEqual(["1001", "1002"])
    const [barA, barB] = [a, b].map((page) => page.getByRole("region", { name: "Call" })) as [
      ReturnType<typeof a.getByRole>,
      ReturnType<typeof a.getByRole>
    ]
    // The call arrives while he is on a different page.
    await b.getByRole("link", { name: "Notifications" }).first().click()
    await b.getByRole("heading", { level: 1, name: "Notifications" }).waitFor()
    expect(await b.locator(".phone-mark").getAttribute("title")).toBe("Softphone: registered")

    await a.getByLabel("Number or extension").fill("1002")
    await a.keyboard.press("Enter")
    const modal = b.getByRole("alertdialog")
    await modal.getByText("Ann Example").waitFor()
    await barA.getByText("rings there").waitFor()
    expect([await rings(a), await rings(b)]).toEqual([1, 1])
    expect(await ringSeconds(b)).toBe(30)
    await checkPage(b, "softphone-ringing")
    await english(b)
    await b.keyboard.press("Tab")
    await expect.poll(() => b.evaluate(() => document.activeElement?.textContent)).toBe("Answer")
    await b.keyboard.press("Enter")
    await modal.waitFor({ state: "hidden" })
    for (const bar of [barA, barB]) await bar.getByText("connected").waitFor()

    for (const page of [a, b]) {
      const before = await traffic(page)
      await poll(async () => (await traffic(page)).received).toBeGreaterThan(before.received + 1_000)
      await poll(async () => (await traffic(page)).sent).toBeGreaterThan(before.sent + 1_000)
      expect((await traffic(page)).codec).toBe("audio/opus")
    }
    expect(await offered(a)).toEqual({
      servers: [],
      profile: "UDP/TLS/RTP/SAVPF",
      codecs: ["opus", "PCMA", "PCMU", "telephone-event"],
      direction: "sendrecv"
    })
    await checkPage(a, "softphone-talking")
    await english(a)

    await listen(b)
    await poll(async () => (await heard(b)).loudest).toBeGreaterThan(0.01)
    const mute = barA.getByRole("button", { name: "Mute" })
    await mute.press("Enter")
    await poll(() => mute.getAttribute("aria-pressed")).toBe("true")
    await poll(async () => (await heard(b)).loudest).toBeLessThan(0.001)
    await a.getByRole("group", { name: "Keys" }).getByRole("button", { name: "5 JKL" }).press("Enter")
    await poll(async () => (await heard(b)).keys).toBe("5")
    await a.keyboard.press("#")
    const sent = a.getByRole("status", { name: "Keys sent to the other side" })
    await poll(() => sent.innerText()).toBe("5#")
    await poll(async () => (await heard(b)).keys).toBe("5#")

    const hold = barA.getByRole("button", { name: "Hold" })
    await hold.press("Enter")
    await barA.getByText("on hold").waitFor()
    expect(await hold.getAttribute("aria-pressed")).toBe("true")
    expect((await offered(a)).direction).toBe("sendonly")
    expect((await offered(b)).direction).toBe("recvonly")
    await hold.press("Enter")
    await barA.getByText("connected").waitFor()
    expect((await offered(b)).direction).toBe("sendrecv")
    // The microphone stays muted.
    const sends = () =>
      a.evaluate(
        () =>
          (globalThis as unknown as { readonly peers: ReadonlyArray<RTCPeerConnection> }).peers.at(-1)!.getSenders()[0]!
            .track!.enabled
      )
    expect(await sends()).toBe(false)
    await mute.press("Enter")
    await poll(sends).toBe(true)
    await heard(b)
    await poll(async () => (await heard(b)).loudest).toBeGreaterThan(0.01)

    await a.getByRole("link", { name: "Customers" }).click()
    await a.getByRole("heading", { level: 1, name: "Customers" }).waitFor()
    await poll(async () => (await heard(b)).loudest).toBeGreaterThan(0.01)
    await barA.getByRole("button", { name: "Hang up" }).press("Enter")
    for (const bar of [barA, barB]) await bar.getByText("Call ended.").waitFor()
    await barA.waitFor({ state: "hidden" })
    for (const page of [a, b])
      await until(() =>
        page.evaluate(
          () =>
            (globalThis as unknown as { readonly peers: ReadonlyArray<RTCPeerConnection> }).peers.at(-1)!
              .connectionState === "closed"
        )
      )
  }, 120_000)

  it("is one window with the call that the switch tells of; turns calls down, and tells why one did not come about", async () => {
    const tenant = await home.console.tenant()
    const domain = "voice32.example.org"
    const ann = await home.person("1101", { name: "Ann Example", tenant, domain })
    const ben = await home.person("1102", { name: "Ben Example", tenant, domain })
    const [a, b] = [await home.open(ann), await home.open(ben)]
    home.registrar().callers.set("1101", "+493012345678")
    const bar = a.getByRole("region", { name: "Call" })
    const modal = b.getByRole("alertdialog")
    const call = async () => {
      await a.getByLabel("Number or extension").fill("1102")
      await a.keyboard.press("Enter")
    }
    const told = (call_id: string) =>
      home.console.emit(
        "call.incoming",
        {
          call_id,
          caller_id: "+493012345678",
          did_number: "+4930999100",
          customer: { name: "Erika Muster", number: "K-7", locale: "en" },
          at: new Date().toISOString()
        },
        { tenantId: tenant, userId: ben.id }
      )

    // The event of the switch comes first: the dialog opens, and gets its buttons when the phone rings.
    await b.locator(".shell[data-live=open]").waitFor()
    await told("call-first")
    await modal.getByText("Erika Muster").waitFor()
    expect(await modal.getByRole("button", { name: "Answer" }).count()).toBe(0)
    await call()
    await modal.getByRole("button", { name: "Answer" }).waitFor()
    expect([
      await modal.count(),
      await modal.getByText("Also calling").count(),
      await modal.getByText("Known customer").count()
    ]).toEqual([1, 0, 1])
    expect([await rings(b), await ringSeconds(b)]).toEqual([1, 30])
    await checkPage(b, "softphone-known")
    await english(b)
    await modal.getByRole("button", { name: "Reject" }).press("Enter")
    await modal.waitFor({ state: "hidden" })
    await bar.getByText("Busy.").waitFor()
    await checkPage(a, "softphone-busy")
    await english(a)

    // The phone rings first: the dialog adds the known details of the caller later.
    await call()
    await modal.getByRole("button", { name: "Answer" }).waitFor()
    await told("call-second")
    await modal.getByText("Erika Muster").waitFor()
    expect([await modal.getByText("Also calling").count(), await rings(b)]).toEqual([0, 2])
    // A dismissed call still rings for the caller, and can be answered at the bottom of the page.
    await b.keyboard.press("Escape")
    await modal.waitFor({ state: "hidden" })
    await bar.getByText("rings there").waitFor()
    await b.getByRole("region", { name: "Call" }).getByRole("button", { name: "Answer" }).press("Enter")
    await bar.getByText("connected").waitFor()
    expect(await modal.isVisible()).toBe(false)
    await b.getByRole("region", { name: "Call" }).getByRole("button", { name: "Hang up" }).press("Enter")
    await bar.getByText("Call ended.").waitFor()

    // The caller hangs up before the answer.
    await call()
    await modal.waitFor()
    await bar.getByText("rings there").waitFor()
    await bar.getByRole("button", { name: "Hang up" }).press("Enter")
    await modal.waitFor({ state: "hidden" })
    await b.getByRole("region", { name: "Call" }).getByText("Missed call.").waitFor()
    await a.getByLabel("Number or extension").fill("4711")
    await a.keyboard.press("Enter")
    await bar.getByText("There is no such number.").waitFor()
    await a.getByLabel("Number or extension").fill("who?")
    await a.keyboard.press("Enter")
    await a.getByText("That is no number").waitFor()
  }, 120_000)

  it("calls customers and latest callers at a press", async () => {
    const tenant = await home.console.tenant()
    const ann = await home.person("1201", { name: "Ann Example", tenant, domain: "voice33.example.org" })
    await ann.ask("POST", "/api/v1/crm/customers", { number: "K-8", name: "Erika Muster", phones: ["+49 30 1234567"] })
    const { sql } = home.console.suite
    await home.console.run(
      sql`insert into sip_config.call ${sql.insert({ id: "00000000-0000-4000-8000-000000000031", tenant_id: tenant, direction: "inbound", state: "ended", did_number: "+4930999", caller_id: "+4989777", extension: "1201", started_at: new Date(), ended_at: new Date(), cause: "ORIGINATOR_CANCEL" } as never)}`
    )
    const page = await home.open(ann)
    await page.getByRole("searchbox").fill("erika")
    await page.getByRole("button", { name: "Call Erika Muster, +49301234567" }).waitFor()
    await checkPage(page, "softphone")
    await english(page)
    await page.getByRole("button", { name: "Call Erika Muster, +49301234567" }).press("Enter")
    const bar = page.getByRole("region", { name: "Call" })
    await bar.getByText("Erika Muster").waitFor()
    await bar.getByText("There is no such number.").waitFor()
    expect(
      home
        .registrar()
        .heard.filter((line) => line.startsWith("INVITE"))
        .at(-1)
    ).toBe("INVITE sip:+49301234567@voice33.example.org SIP/2.0")
    await page.getByRole("button", { name: "Call +4989777" }).press("Enter")
    await until(
      () =>
        home
          .registrar()
          .heard.filter((line) => line.startsWith("INVITE"))
          .at(-1) === "INVITE sip:+4989777@voice33.example.org SIP/2.0"
    )
  }, 120_000)
})
