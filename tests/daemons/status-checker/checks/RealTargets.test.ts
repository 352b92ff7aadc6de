/** The checker as a whole, before real targets that come and go. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer as createTls, type Server } from "node:tls"
import { beforeAll, expect } from "vitest"
import * as Door from "#support/Door.ts"
import * as Knot from "#support/dns/Knot.ts"
import { makeNetwork } from "#support/dns/Network.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { ensurePeers } from "#support/peers/install.ts"
import { freePort } from "#support/peers/Loopback.ts"
import * as Podman from "#support/peers/Podman.ts"
import { untilWithin } from "#support/Within.ts"
import { makeAuthority } from "./Certificates.ts"
import { startChecker } from "./CheckerSuite.ts"
import * as Targets from "./Targets.ts"

/** Unit: milliseconds. */
const interval = 1_000

beforeAll(async () => {
  await ensurePeers(["dns", "containers"])
}, 600_000)

const listening = <S extends Server>(server: S, port: number) =>
  Effect.acquireRelease(
    Effect.promise(() => new Promise<S>((resolve) => void server.listen(port, "127.0.0.1", () => resolve(server)))),
    () => Effect.sync(() => void server.close())
  )

describePeers(["knot"], "targets", () => {
  it.live(
    "are down and up again in the results: HTTP, TCP, TLS, DNS",
    () =>
      Effect.gen(function* () {
        const { authorityFile, certificate } = yield* makeAuthority
        // What this system believes is read at the first look.
        process.env["SSL_CERT_FILE"] = authorityFile
        const zone = ["@ NS ns", "ns A 192.0.2.1", "www A 192.0.2.2"]
        const knot = yield* Knot.make({
          address: makeNetwork().address(1),
          port: yield* freePort,
          zones: { "shop.test": { lines: zone } }
        })
        let status = 200
        const http = yield* Targets.http((_request, response) => void response.writeHead(status).end("all is well"))
        const tcp = yield* Door.make({ port: http })
        const tlsPort = yield* freePort
        const good = certificate(30)
        const tls = yield* listening(
          createTls(good, (socket) => void socket.on("error", () => {})),
          tlsPort
        )
        const checker = yield* startChecker([
          { id: "http", checks: [{ type: "http", url: `http://127.0.0.1:${http}/`, contains: "is well" }] },
          { id: "tcp", checks: [{ type: "tcp", host: "127.0.0.1", port: tcp.port }] },
          { id: "tls", checks: [{ type: "tls", host: "127.0.0.1", port: tlsPort, servername: "localhost" }] },
          {
            id: "dns",
            checks: [
              { type: "dns", name: "www.shop.test", server: `${knot.address}:${knot.port}`, expect: "192.0.2.2" }
            ]
          },
          {
            id: "both",
            checks: [
              { type: "tcp", host: "127.0.0.1", port: tcp.port },
              { type: "tcp", host: "127.0.0.1", port: http }
            ]
          },
          { id: "spoken", checks: [] }
        ])
        const all = ["http", "tcp", "tls", "dns", "both"]
        yield* Effect.forEach(all, (id) => checker.shows(id, "operational"))
        // What was found is shown as it is found, and the round is over with the last of it.
        yield* untilWithin(
          20,
          "the first round is over",
          Effect.map(checker.health, ({ last_round }) => last_round !== null)
        )
        // On a busy machine a round may end before its probes.
        yield* Effect.promise(() =>
          expect
            .poll(() => Effect.runPromise(checker.health))
            .toMatchObject({
              status: "ok",
              components: 5,
              unknown: [],
              unwritten_days: expect.any(Number),
              last_round: expect.any(String)
            })
        )

        status = 503
        yield* tcp.set("shut")
        tls.setSecureContext(certificate(5))
        yield* knot.write("shop.test", [...zone.slice(0, 2), "www A 192.0.2.9"])
        yield* checker.shows("http", "major_outage")
        yield* checker.shows("tcp", "major_outage")
        yield* checker.shows("tls", "degraded_performance")
        yield* checker.shows("dns", "major_outage")
        yield* checker.shows("both", "partial_outage")
        tls.setSecureContext(certificate(-1))
        yield* checker.shows("tls", "major_outage")

        status = 200
        yield* tcp.set("open")
        tls.setSecureContext(good)
        yield* knot.write("shop.test", zone)
        yield* Effect.forEach(all, (id) => checker.shows(id, "operational"))
        yield* Effect.forEach(all, (id) => checker.stores(id, "operational"))
        // Only incidents speak of what nothing asks about.
        expect((yield* checker.states).has("spoken")).toBe(false)
      }),
    120_000
  )
})

describePeers(["podman", "busybox-static"], "containers", () => {
  it.live(
    "have results for each state: unhealthy, healthy, stopped, removed, and without an engine",
    () =>
      Effect.gen(function* () {
        const podman = yield* Podman.make
        yield* podman.run("web", { checked: true })
        yield* podman.check("web")
        yield* podman.run("plain")
        const checker = yield* startChecker(
          [
            { id: "web", container: "web" },
            { id: "plain", container: "plain" }
          ],
          { env: { SIGNALBOX_CONTAINER_SOCKET: podman.socketPath } }
        )
        const both = Effect.fnUntraced(function* (status: string) {
          yield* checker.shows("web", status)
          yield* checker.stores("web", status)
        })
        yield* both("operational")
        yield* podman.ail("web")
        yield* both("major_outage")
        yield* podman.heal("web")
        yield* both("operational")
        yield* podman.stop("web")
        yield* both("major_outage")
        yield* podman.start("web")
        yield* podman.check("web")
        yield* both("operational")
        yield* podman.remove("web")
        yield* both("major_outage")
        yield* checker.shows("plain", "operational")

        // Nobody to be asked: nothing is measured, and what was shown stays.
        yield* podman.service.kill9
        yield* untilWithin(
          20,
          "health says so",
          Effect.map(
            checker.health,
            ({ detail, status, unwritten_days }) =>
              status === "degraded" &&
              unwritten_days === 0 &&
              /container socket cannot be used: ECONNREFUSED/.test(String(detail))
          )
        )
        const before = yield* checker.states
        const measured = yield* checker.measured("plain")
        yield* Effect.sleep(3 * interval)
        expect(yield* checker.states).toEqual(before)
        expect(yield* checker.measured("plain")).toBe(measured)
        yield* checker.shows("plain", "operational")
        yield* podman.service.start
        yield* checker.checkedAgain("plain")
        // Read before the time of the last check, because the checks go on.
        const whole = yield* checker.measured("plain")
        const after = yield* checker.states
        // The time nobody was there is a gap: no check stands for more than one and a half intervals.
        expect(whole).toBeLessThanOrEqual(
          +after.get("plain")!.checked_at - +before.get("plain")!.since - 3 * interval + 1.5 * interval + 50
        )
        yield* untilWithin(
          20,
          "health is valid again",
          Effect.map(checker.health, ({ status }) => status === "ok")
        )
      }),
    180_000
  )
})
