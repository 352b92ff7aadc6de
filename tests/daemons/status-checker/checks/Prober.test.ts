import { it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { createSocket } from "node:dgram"
import type { AddressInfo } from "node:net"
import { describe, expect } from "vitest"
import { Prober, layer, probeTimeout } from "#daemons/status-checker/checks/Prober.ts"
import type { Probe } from "#daemons/status-checker/status/Probe.ts"
import { judge as judgeContainer } from "#daemons/status-checker/checks/probes/Container.ts"
import { judge as judgeDns } from "#daemons/status-checker/checks/probes/Dns.ts"
import { outcomeOf } from "#core/probes/Finding.ts"
import { maxRedirects, maxSearched } from "#core/probes/Http.ts"
import * as Tls from "#core/probes/Tls.ts"
import * as HostileServer from "#support/dns/HostileServer.ts"
import * as Knot from "#support/dns/Knot.ts"
import { makeNetwork } from "#support/dns/Network.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { freePort } from "#support/peers/Loopback.ts"
import { makeAuthority } from "./Certificates.ts"
import * as Targets from "./Targets.ts"

/** Unit: seconds. Probes wait 10 s at most then, which a busy machine does not exceed. */
const checkInterval = 60
const patience = probeTimeout(1_000 * checkInterval)
const settings = { checkInterval, containerSocket: "/nonexistent/engine.sock" }
/** For targets that never answer. Probes wait 1.4 s at most then. */
const brief = { ...settings, checkInterval: 2 }
const briefPatience = probeTimeout(1_000 * brief.checkInterval)
const component = (probes: ReadonlyArray<Probe>, container: string | null = null) => ({
  id: "web",
  name: "Web",
  name_en: "Web",
  container,
  group: null,
  probes
})

/** What is found, as `outcome: detail`. */
const found = (probe: Probe, during = settings) =>
  Effect.gen(function* () {
    const [result] = yield* (yield* Prober).probe(component([probe]), performance.now() + 15_000)
    return `${result?.outcome}: ${result?.detail}`
  }).pipe(Effect.provide(layer(during)))

const web = (
  url: string,
  options: { readonly expect?: ReadonlyArray<number>; readonly contains?: string } = {},
  during = settings
) => found({ kind: "http", url, expect: options.expect ?? null, contains: options.contains ?? null }, during)
const late = `down: no answer within ${briefPatience} ms`

describe("http", () => {
  it.live("depends on the status, the text and the redirect target", () =>
    Effect.gen(function* () {
      const port = yield* Targets.http((request, response) => {
        const [, status, to] = /^\/(\d+)(\/.*)?$/.exec(request.url ?? "") ?? []
        response.statusCode = Number(status)
        if (to !== undefined) response.setHeader("location", to)
        response.end(status === "200" ? "<p>all is well</p>" : "no")
      })
      const at = (path: string) => `http://127.0.0.1:${port}${path}`
      expect(yield* web(at("/200"))).toBe("up: answered 200")
      expect(yield* web(at("/304"))).toBe("up: answered 304")
      expect(yield* web(at("/404"))).toBe("down: answered 404")
      expect(yield* web(at("/500"))).toBe("down: answered 500")
      expect(yield* web(at("/401"), { expect: [200, 401] })).toBe("up: answered 401")
      expect(yield* web(at("/204"), { expect: [200] })).toBe("down: answered 204")
      expect(yield* web(at("/200"), { contains: "is well" })).toBe("up: answered 200 with the text")
      expect(yield* web(at("/200"), { contains: "is ill" })).toBe("down: answered 200, without the text")
      expect(yield* web(at("/302/307/200"))).toBe("up: answered 200")
      expect(yield* web(at("/302/301/503"))).toBe("down: answered 503")
      // A redirect that is wanted is not followed.
      expect(yield* web(at("/302/500"), { expect: [302] })).toBe("up: answered 302")
      expect(yield* web(at(`${"/302".repeat(maxRedirects)}/200`))).toBe("up: answered 200")
      expect(yield* web(at(`${"/302".repeat(maxRedirects + 1)}/200`))).toBe(`down: more than ${maxRedirects} redirects`)
    })
  )

  it.live(
    "ends with servers that never finish",
    () =>
      Effect.gen(function* () {
        const url = (port: number) => `http://127.0.0.1:${port}/health?key=secret`
        const loop = yield* Targets.http((request, response) =>
          response.writeHead(302, { location: request.url ?? "" }).end()
        )
        expect(yield* web(url(loop))).toBe(`down: more than ${maxRedirects} redirects`)
        const mute = yield* Targets.raw(() => {})
        expect(yield* web(url(mute), {}, brief)).toBe(late)
        const slow = yield* Targets.raw((socket) => Targets.trickle(socket, "H"))
        expect(yield* web(url(slow), {}, brief)).toMatch(/^down: (?:no answer within|answer is not HTTP)/)
        const slowHeaders = yield* Targets.raw((socket) => {
          socket.write("HTTP/1.1 200 OK\r\nx: ")
          Targets.trickle(socket, "y")
        })
        expect(yield* web(url(slowHeaders), {}, brief)).toBe(late)
        const slowBody = yield* Targets.raw((socket) => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n")
          Targets.trickle(socket, "y")
        })
        expect(yield* web(url(slowBody), { contains: "x" }, brief)).toBe(late)
        const endless = yield* Targets.raw((socket) => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n")
          Targets.endlessly(socket, "y".repeat(60_000))
        })
        expect(yield* web(url(endless))).toBe("up: answered 200")
        expect(yield* web(url(endless), { contains: "x" })).toBe(
          `down: answered 200, without the text in the first ${maxSearched} bytes`
        )
        const huge = yield* Targets.raw((socket) => {
          socket.write("HTTP/1.1 200 OK\r\n")
          Targets.endlessly(socket, `x: ${"y".repeat(60_000)}`)
        })
        expect(yield* web(url(huge))).toBe("down: answer is not HTTP: HPE_HEADER_OVERFLOW")
        const other = yield* Targets.raw((socket) => socket.end("220 mail.example ESMTP\r\n"))
        expect(yield* web(url(other))).toMatch(/^down: answer is not HTTP: HPE_/)
        expect(yield* web(`https://127.0.0.1:${other}/`)).toMatch(/^down: TLS failed: /)
        const cut = yield* Targets.raw((socket) => socket.destroy())
        expect(yield* web(url(cut))).toMatch(/^down: connection failed: /)
        const away = yield* Targets.http((_request, response) =>
          response.writeHead(302, { location: "gopher://127.0.0.1/" }).end()
        )
        expect(yield* web(url(away))).toBe("down: it redirects to an address that cannot be requested")
        expect(yield* web(`http://127.0.0.1:${yield* freePort}/?key=secret`)).toBe(
          "down: connection failed: ECONNREFUSED"
        )
      }),
    120_000
  )
})

describe("tcp", () => {
  it.live("is up when the connection is established", () =>
    Effect.gen(function* () {
      const tcp = (host: string, port: number) => found({ kind: "tcp", host, port })
      const port = yield* Targets.raw((socket) => socket.end())
      expect(yield* tcp("127.0.0.1", port)).toBe("up: connected")
      expect(yield* tcp("127.0.0.1", yield* freePort)).toBe("down: no connection: ECONNREFUSED")
    })
  )

  it("is unknown when the cause is on this host", () => {
    expect(["ENETUNREACH", "EMFILE", "EAI_AGAIN"].map(outcomeOf)).toEqual(["unknown", "unknown", "unknown"])
    expect(["ECONNREFUSED", "ECONNRESET", "EHOSTUNREACH", "ENOTFOUND", "ETIMEDOUT"].map(outcomeOf)).toEqual([
      "down",
      "down",
      "down",
      "down",
      "down"
    ])
  })
})

describe("tls", () => {
  it.live("refuses certificates without a chain, and counts the remaining days", () =>
    Effect.gen(function* () {
      const { authority, certificate } = yield* makeAuthority
      const look = (
        port: number,
        days: number,
        options: {
          readonly servername?: string
          readonly authorities?: ReadonlyArray<string>
          readonly host?: string
        } = {}
      ) =>
        Effect.map(
          Tls.probe(
            { host: options.host ?? "127.0.0.1", port, servername: options.servername ?? "localhost", days },
            Duration.millis(patience),
            options.authorities ?? [authority]
          ),
          ({ detail, outcome }) => `${outcome}: ${detail}`
        )
      const good = yield* Targets.tls(certificate(20))
      expect(yield* look(good, 14)).toMatch(/^up: certificate holds for (?:19|20) more days$/)
      expect(yield* look(good, 21)).toMatch(/^degraded: certificate holds for (?:19|20) more days$/)
      expect(yield* look(good, 0)).toMatch(/^up: /)
      expect(yield* look(good, 14, { servername: "other.example" })).toBe(
        "down: no verified connection: ERR_TLS_CERT_ALTNAME_INVALID"
      )
      // As any program of this host: the test's own authority is nobody here.
      expect(yield* found({ kind: "tls", host: "127.0.0.1", port: good, servername: "localhost", days: 14 })).toMatch(
        /^down: no verified connection: UNABLE_TO_VERIFY/
      )
      const expired = yield* Targets.tls(certificate(-1))
      expect(yield* look(expired, 14)).toBe("down: certificate has expired")
      expect(yield* look(yield* freePort, 14)).toBe("down: no connection: ECONNREFUSED")
    })
  )

  it.live(
    "ends with servers that do not speak TLS",
    () =>
      Effect.gen(function* () {
        const tls = (port: number, during = settings) =>
          found({ kind: "tls", host: "127.0.0.1", port, servername: "localhost", days: 14 }, during)
        const mute = yield* Targets.raw(() => {})
        expect(yield* tls(mute, brief)).toBe(`down: no connection within ${briefPatience} ms`)
        const other = yield* Targets.raw((socket) => socket.write("220 mail.example ESMTP\r\n"))
        expect(yield* tls(other)).toMatch(/^down: no verified connection: E/)
        const garbage = yield* Targets.raw((socket) => Targets.endlessly(socket, "\x16\x03\x03\x40\x00".repeat(1_000)))
        expect(yield* tls(garbage)).toMatch(/^down: no verified connection: /)
        const slow = yield* Targets.raw((socket) => Targets.trickle(socket, "\x16"))
        expect(yield* tls(slow, brief)).toMatch(/^down: no /)
        const shut = yield* Targets.raw((socket) => socket.end())
        expect(yield* tls(shut)).toMatch(/^down: /)
      }),
    120_000
  )
})

type DnsProbe = Extract<Probe, { kind: "dns" }>
const dns = (
  server: string,
  name: string,
  type: DnsProbe["type"],
  expect: ReadonlyArray<string> | null = null,
  during = settings
) => found({ kind: "dns", name, type, server, expect }, during)

describePeers(["knot"], "dns", () => {
  it.live("depends on the records", () =>
    Effect.gen(function* () {
      const knot = yield* Knot.make({
        address: makeNetwork().address(1),
        port: yield* freePort,
        zones: {
          "shop.test": {
            lines: [
              "@ NS ns",
              "ns A 192.0.2.1",
              "@ MX 10 mail",
              "mail A 192.0.2.2",
              "mail A 192.0.2.3",
              "mail AAAA 2001:db8::2",
              "www CNAME mail",
              `text TXT "one " "two"`
            ]
          }
        }
      })
      const ask = (name: string, type: DnsProbe["type"], expect?: ReadonlyArray<string>) =>
        dns(`${knot.address}:${knot.port}`, name, type, expect ?? null)
      expect(yield* ask("mail.shop.test", "A")).toBe("up: 2 A records")
      expect(yield* ask("Mail.Shop.test.", "A", ["192.0.2.3"])).toBe("up: 2 A records")
      expect(yield* ask("mail.shop.test", "A", ["192.0.2.3", "192.0.2.9"])).toBe(
        "down: 1 of 2 expected A records are missing"
      )
      expect(yield* ask("mail.shop.test", "AAAA", ["2001:DB8:0::2"])).toBe("up: 1 AAAA records")
      expect(yield* ask("shop.test", "MX", ["10 Mail.Shop.test."])).toBe("up: 1 MX records")
      expect(yield* ask("shop.test", "NS", ["NS.shop.test."])).toBe("up: 1 NS records")
      expect(yield* ask("www.shop.test", "CNAME", ["mail.shop.test"])).toBe("up: 1 CNAME records")
      expect(yield* ask("www.shop.test", "A")).toBe("up: 2 A records")
      expect(yield* ask("text.shop.test", "TXT", ["one two"])).toBe("up: 1 TXT records")
      expect(yield* ask("mail.shop.test", "TXT")).toBe("down: no TXT records")
      expect(yield* ask("none.shop.test", "A")).toBe("down: no such name")
      expect(yield* ask("other.test", "A")).toBe("down: answered with code 5")
      yield* knot.stop
      expect(yield* dns(`${knot.address}:${knot.port}`, "mail.shop.test", "A", null, brief)).toMatch(/^down: no answer/)
    })
  )
})

describe("dns", () => {
  it.live(
    "does not wait for silent or forging servers",
    () =>
      Effect.gen(function* () {
        const address = makeNetwork().address(1)
        const mute = yield* Effect.acquireRelease(
          Effect.promise(
            () =>
              new Promise<ReturnType<typeof createSocket>>((resolve) => {
                const socket = createSocket("udp4")
                socket.bind(0, address, () => resolve(socket))
              })
          ),
          (socket) => Effect.sync(() => socket.close())
        )
        const ask = (port: number) => dns(`${address}:${port}`, "shop.test", "A", null, brief)
        expect(yield* ask((mute.address() as AddressInfo).port)).toBe("down: no answer in time")
        const liar = yield* HostileServer.make(address, 0, () => [
          { id: 1, answers: [HostileServer.a("shop.test", "192.0.2.1")] },
          { raw: Buffer.from("garbage") }
        ])
        expect(yield* ask(liar.port)).toMatch(/^down: no answer/)
        const cut = yield* HostileServer.make(address, 0, () => [{ truncated: true }], { tcp: false })
        expect(yield* ask(cut.port)).toMatch(/^down: no answer/)
      }),
    120_000
  )
})

describe("a resolver of this host", () => {
  const reply = (rcode: number) => ({
    rcode,
    authoritative: false,
    truncated: false,
    authenticData: false,
    answers: [],
    authorities: [],
    additionals: []
  })
  const of = (given: Parameters<typeof judgeDns>[0], own: boolean) =>
    judgeDns(given, { type: "A", expect: null }, own).outcome

  it("that does not answer makes the check unknown; a checked server that does not answer is down", () => {
    for (const silent of ["timeout", "unreachable", "malformed", reply(5)] as const)
      expect([of(silent, false), of(silent, true)]).toEqual(["unknown", "down"])
    expect(of(undefined, false)).toBe("unknown")
    for (const said of [reply(2), reply(3), reply(0)])
      expect([of(said, false), of(said, true)]).toEqual(["down", "down"])
  })
})

describe("container", () => {
  const state = { status: "running", running: true, health: "none", exitCode: 0, oomKilled: false } as const

  it.live("is unknown when no engine answers", () =>
    Effect.gen(function* () {
      const results = yield* Effect.flatMap(Prober, (prober) =>
        prober.probe(component([], "web"), performance.now() + 10_000)
      ).pipe(Effect.provide(layer(settings)))
      expect(results).toMatchObject([{ kind: "container", outcome: "unknown", detail: "container socket not there" }])
    })
  )

  it.each([
    [{}, "up: running"],
    [{ health: "healthy" }, "up: healthy"],
    [{ health: "starting" }, "degraded: starting"],
    [{ health: "unhealthy" }, "down: unhealthy"],
    [{ status: "paused" }, "down: paused"],
    [{ status: "paused", health: "healthy" }, "down: paused"],
    [{ status: "restarting" }, "down: restarting"],
    [{ status: "exited", running: false, health: "healthy", exitCode: 137 }, "down: exited with 137"],
    [{ status: "exited", running: false, oomKilled: true }, "down: exited: out of memory"],
    [{ status: "created", running: false }, "down: created"],
    [{ status: "dead", running: false }, "down: dead"]
  ] as const)("%j is %s", (given, expected) => {
    const { detail, outcome } = judgeContainer({ ...state, ...given })
    expect(`${outcome}: ${detail}`).toBe(expected)
  })
})

describe("a round's end", () => {
  it.live("leaves unfinished checks unknown, and keeps finished ones", () =>
    Effect.gen(function* () {
      const mute = yield* Targets.raw(() => {})
      const open = yield* Targets.raw((socket) => socket.end())
      const prober = yield* Prober
      const results = yield* prober.probe(
        component([
          { kind: "http", url: `http://127.0.0.1:${mute}/`, expect: null, contains: null },
          { kind: "tcp", host: "127.0.0.1", port: open }
        ]),
        // The other probe ends before this, also on a busy machine.
        performance.now() + 4_000
      )
      expect(results).toEqual([
        { kind: "http", outcome: "unknown", detail: "the round ended before the probe finished", took: 0 },
        { kind: "tcp", outcome: "up", detail: "connected", took: expect.any(Number) }
      ])
      expect(results[1]!.took).toBeGreaterThan(0)
    }).pipe(Effect.provide(layer(settings)))
  )
})
