/** config/nftables: checked by nft, and by packets between two network namespaces. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe } from "vitest"
import { banFiles, crowdsecFile, trunkFile } from "#core/bans/BanFiles.ts"
import * as NetworkFiles from "#core/bans/NetworkFiles.ts"
import { host, make, refusal, strangers, strangers6 } from "#support/firewall/Namespaces.ts"
import type { Probe } from "#support/firewall/probe.ts"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { scratchFolder } from "#support/peers/Loopback.ts"

const shipped = (name: string) => join(import.meta.dirname, "../../config/nftables", name)

const from = (address: string, kind: Probe["kind"], ...ports: ReadonlyArray<number>): ReadonlyArray<Probe> =>
  ports.map((port) => ({ kind, port, from: address, to: address.includes(":") ? host.v6 : host.v4 }))

/** The namespaces with the shipped firewall, whose files are read from folders of the test. */
const place = Effect.gen(function* () {
  const { ask, nft } = yield* make
  const folder = yield* scratchFolder("nft")
  const [written, own] = [join(folder, "written"), join(folder, "own")]
  for (const path of [written, own]) mkdirSync(path)
  const file = join(folder, "signalbox.nft")
  const text = readFileSync(shipped("signalbox.nft"), "utf8")
  writeFileSync(file, text.replaceAll("/var/lib/signalbox-network", written).replaceAll("/etc/nftables.d", own))
  const load = nft("-f", file)
  // As in signalbox-network.service.
  const read = nft(`include "${written}/*.nft"`)
  return {
    ask,
    nft,
    load,
    own,
    /** Ports of these probes that answer. */
    open: (...probes: ReadonlyArray<Probe>) =>
      Effect.map(ask(...probes), (answers) => probes.flatMap(({ port }, index) => (answers[index] ? [port] : []))),
    bans: (until: number, ...addresses: ReadonlyArray<string>) =>
      Effect.andThen(
        NetworkFiles.write(
          written,
          banFiles(
            addresses.map((address) => ({ address, until })),
            Date.now()
          )
        ),
        read
      ),
    crowdsec: (until: number, ...addresses: ReadonlyArray<string>) =>
      Effect.andThen(
        NetworkFiles.write(written, [
          crowdsecFile(
            addresses.map((address) => ({ address, until })),
            Date.now()
          )
        ]),
        read
      ),
    trunks: (...networks: ReadonlyArray<string>) =>
      Effect.andThen(NetworkFiles.write(written, [trunkFile(networks)]), read)
  }
})

const soon = () => Date.now() + 3_600_000

describePeers(["nft", "iproute2"], "the firewall", () => {
  const reason = refusal()
  const title = reason === undefined ? "in a namespace" : `in a namespace (skipped: ${reason})`
  describe.skipIf(reason !== undefined)(title, () => {
    it.live(
      "is accepted by nft as shipped, and loads again in one step",
      () =>
        Effect.gen(function* () {
          const { load, nft } = yield* place
          yield* nft("-c", "-f", shipped("signalbox.nft"))
          yield* load
          yield* load
          yield* nft("-c", "-f", shipped("signalbox-mail-ports.nft"))
        }).pipe(Effect.scoped),
      120_000
    )

    it.live(
      "lets the ports of the interface document through and nothing else, on both families",
      () =>
        Effect.gen(function* () {
          const { load, open, own } = yield* place
          yield* load
          const tcp = [21, 22, 25, 80, 443, 993, 2222, 5060, 5067, 5080, 5432, 7443, 8080]
          const udp = [53, 5060, 5061, 5080, 16_383, 16_384, 32_768, 32_769]
          for (const address of [strangers.plain, strangers6.plain]) {
            assert.deepStrictEqual(yield* open(...from(address, "tcp", ...tcp)), [22, 80, 443, 2222, 5067, 7443])
            assert.deepStrictEqual(yield* open(...from(address, "udp", ...udp)), [5060, 16_384, 32_768])
          }
          writeFileSync(join(own, "signalbox-mail-ports.nft"), readFileSync(shipped("signalbox-mail-ports.nft")))
          yield* load
          assert.deepStrictEqual(yield* open(...from(strangers.plain, "tcp", 25, 993, 5432)), [25, 993])
        }).pipe(Effect.scoped),
      120_000
    )

    it.live(
      "lets only networks of trunks reach the port of trunks",
      () =>
        Effect.gen(function* () {
          const { load, open, trunks } = yield* place
          yield* load
          const reached = Effect.gen(function* () {
            const [trunk, plain] = [
              yield* open(...from(strangers.trunk, "udp", 5080)),
              yield* open(...from(strangers.plain, "udp", 5080))
            ]
            return [trunk.length, plain.length]
          })
          assert.deepStrictEqual(yield* reached, [0, 0])
          yield* trunks("198.51.100.16/28", "2001:db8:9::/48")
          assert.deepStrictEqual(yield* reached, [1, 0])
          yield* load
          assert.deepStrictEqual(yield* reached, [1, 0])
          yield* trunks("203.0.113.0/24")
          assert.deepStrictEqual(yield* reached, [0, 0])
        }).pipe(Effect.scoped),
      120_000
    )

    it.live(
      "refuses banned addresses at every port, also on open flows, until the ban is lifted or ends",
      () =>
        Effect.gen(function* () {
          const { ask, bans, load, nft, open } = yield* place
          yield* load
          const bad = [
            ...from(strangers.bad, "tcp", 443),
            ...from(strangers.bad, "udp", 5060),
            ...from(strangers6.bad, "tcp", 443)
          ]
          // A phone that sends from one port has an open flow.
          const phone: Probe = { kind: "udp", port: 5060, from: strangers.bad, to: host.v4, localPort: 40_000 }
          assert.deepStrictEqual(yield* ask(...bad, phone), [true, true, true, true])
          yield* bans(soon(), `${strangers.bad}/32`, "2001:db8:1:66::/64")
          assert.deepStrictEqual(yield* ask(...bad, phone), [false, false, false, false])
          assert.deepStrictEqual(yield* open(...from(strangers6.plain, "tcp", 443)), [443])
          yield* bans(soon(), "2001:db8:1:66::/64")
          assert.deepStrictEqual(yield* ask(...bad, phone), [true, true, false, true])
          // A network of the operator stays reachable.
          yield* bans(soon(), "198.51.100.64/26")
          assert.deepStrictEqual(yield* ask(phone), [false])
          yield* nft(`add element inet signalbox exempt4 { ${strangers.bad} }`)
          assert.deepStrictEqual(yield* ask(phone), [true])
        }).pipe(Effect.scoped),
      120_000
    )

    it.live(
      "refuses what CrowdSec banned beside our bans, each from its own file; loading anything again keeps both",
      () =>
        Effect.gen(function* () {
          const { ask, bans, crowdsec, load, nft } = yield* place
          yield* load
          const probes = [...from(strangers.bad, "tcp", 443), ...from(strangers6.bad, "tcp", 443)]
          yield* crowdsec(soon(), `${strangers.bad}/32`)
          assert.deepStrictEqual(yield* ask(...probes), [false, true])
          // The same address from both, and another one from ours.
          yield* bans(soon(), `${strangers.bad}/32`, "2001:db8:1:66::/64")
          assert.deepStrictEqual(yield* ask(...probes), [false, false])
          yield* load
          yield* load
          assert.deepStrictEqual(yield* ask(...probes), [false, false])
          yield* crowdsec(soon(), "203.0.113.0/24", "2001:db8:1:66::/64")
          yield* bans(soon())
          assert.deepStrictEqual(yield* ask(...probes), [true, false])
          yield* crowdsec(soon())
          assert.deepStrictEqual(yield* ask(...probes), [true, true])
          // A firewall that was loaded before it had the sets takes the file as well.
          yield* nft("delete table inet signalbox")
          yield* nft("add table inet signalbox; add set inet signalbox banned4 { type ipv4_addr; flags interval, timeout; }; " +
            "add set inet signalbox banned6 { type ipv6_addr; flags interval, timeout; }")
          yield* crowdsec(soon(), `${strangers.bad}/32`)
        }).pipe(Effect.scoped),
      120_000
    )

    it.live(
      "forgets a ban at its end, also when nobody writes the file again",
      () =>
        Effect.gen(function* () {
          const { ask, bans, load } = yield* place
          yield* load
          yield* bans(Date.now() + 2_000, `${strangers.bad}/32`)
          yield* until(
            "the address is let in",
            Effect.map(ask(...from(strangers.bad, "tcp", 443)), ([isOpen]) => isOpen === true),
            60
          )
        }).pipe(Effect.scoped),
      120_000
    )
  })
})
