// A small internet of test domains: healthy ones, and one for each kind of misconfiguration. The platform is at
// 192.0.2.1.

import { Effect } from "effect"
import * as Hostile from "./HostileServer.ts"
import * as Knot from "./Knot.ts"
import { makeNetwork } from "./Network.ts"
import * as World from "./World.ts"

/** Address to which the healthy domains point. */
export const platform = "192.0.2.1"

const wrongDs = `12345 13 2 ${"ab".repeat(32)}`
const poison = Hostile.a("target.good.test", "198.51.100.66")
export const longText = Array.from({ length: 30 }, (_, n) => `"${"x".repeat(200)}${n}"`)

/**
 * Answers of the misbehaving name servers. Each domain has its own kind of misbehaviour; answers about the name server
 * itself are correct.
 */
const misbehave =
  (address: string) =>
  ({ name, over, query, type }: Hostile.Asked): ReadonlyArray<Hostile.Sent> => {
    const zone = name.toLowerCase().split(".").slice(-2).join(".")
    const host = name.toLowerCase()
    if (zone === "servfail.test") return [{ rcode: 2, authoritative: false }]
    if (zone === "silent.test") return []
    if (zone === "lame.test")
      return [{ authoritative: false, answers: host === zone && type === "A" ? [Hostile.a(host, "192.0.2.1")] : [] }]
    if (host === zone && type === "NS") return [{ answers: [Hostile.ns(zone, `ns1.${zone}`)] }]
    if (host === `ns1.${zone}` && type === "A") return [{ answers: [Hostile.a(host, address)] }]
    if (zone === "slow.test" && type === "A") return [{ after: 600, answers: [Hostile.a(host, "192.0.2.1")] }]
    if (zone === "poisoned.test" && type === "A") {
      if (host === `www.${zone}`)
        return [
          {
            answers: [Hostile.cname(host, "target.good.test"), poison],
            authorities: [Hostile.ns("good.test", "ns.evil.test")],
            additionals: [poison]
          }
        ]
      return [
        {
          answers: [poison, Hostile.a(host, "192.0.2.1"), Hostile.a("www.poisoned.test", "198.51.100.66")],
          additionals: [poison, Hostile.a(host, "198.51.100.67")]
        }
      ]
    }
    if (zone === "spoofed.test" && type === "A") {
      return [
        { id: (query.id ?? 0) ^ 1, answers: [Hostile.a(host, "198.51.100.66")] },
        { question: { name: "other.test", type: "A" }, answers: [Hostile.a(host, "198.51.100.66")] },
        { fromElsewhere: true, answers: [Hostile.a(host, "198.51.100.66")] },
        { after: 50, answers: [Hostile.a(host, "192.0.2.1")] }
      ]
    }
    if (zone === "truncated.test" && type === "A")
      return [over === "udp" ? { truncated: true } : { answers: [Hostile.a(host, "192.0.2.1")] }]
    return [{ authorities: [Hostile.soa(zone)] }]
  }

/** Starts all servers; they end with the scope. */
export const make = Effect.gen(function* () {
  const network = makeNetwork()
  const [one, two, bad] = [network.address(11), network.address(12), network.address(21)] as const
  const inner = yield* Hostile.make(makeNetwork().address(1), 53, ({ name, type }) => [
    { answers: type === "A" ? [Hostile.a(name, "192.0.2.1")] : [] }
  ])
  const own = World.ownServers([one, two])
  const zones = (here: string): Readonly<Record<string, Knot.ZoneOptions>> => ({
    "good.test": {
      lines: [
        ...own,
        "@ A 192.0.2.1",
        "www CNAME good.test.",
        "target A 192.0.2.7",
        "mail MX 10 mail.good.test.",
        "mail MX 5 a.good.test.",
        `big TXT ${longText.join(" ")}`,
        'mail._domainkey TXT "v=DKIM1; p=AB" "CD"',
        "away CNAME www.poisoned.test.",
        "gone CNAME nothing.good.test.",
        "dead CNAME www.silent.test.",
        `child NS ns1.child`,
        `ns1.child A ${two}`
      ]
    },
    "signed.test": { lines: [...World.ownServers([one]), "@ A 192.0.2.1"], signed: true },
    "bogus.test": { lines: [...World.ownServers([one]), "@ A 192.0.2.1"], signed: true },
    "differ.test": { lines: [...own, `@ A ${here}`] },
    "loop.test": { lines: [...own, "www CNAME b", "b CNAME c", "c CNAME www", "ring CNAME ring.other.test."] }
  })
  const first = yield* Knot.make({
    address: one,
    zones: {
      ...zones("192.0.2.1"),
      "other.test": { lines: [...World.ownServers([one]), "ring CNAME ring.loop.test."] }
    }
  })
  yield* Knot.make({
    address: two,
    zones: { ...zones("192.0.2.9"), "child.good.test": { lines: [`@ NS ns1`, `ns1 A ${two}`, "@ A 192.0.2.8"] } }
  })
  const hostile = yield* Hostile.make(bad, 53, misbehave(bad))
  const world = yield* World.make(network, [
    ...World.delegate("good", [one, two]),
    ...World.delegate("differ", [one, two]),
    ...World.delegate("loop", [one, two]),
    ...World.delegate("other", [one]),
    ...World.delegate("signed", [one], yield* first.ds("signed.test")),
    ...World.delegate("bogus", [one], [wrongDs]),
    ...World.delegate("refused", [one, two]),
    ...["servfail", "silent", "lame", "slow", "poisoned", "spoofed", "truncated"].flatMap((name) =>
      World.delegate(name, [bad])
    ),
    ...World.delegate("inner", [inner.address]),
    ...World.delegate("partly", [inner.address, two]),
    "nameless NS ns.nothing.invalid."
  ])
  return { world, hostile, inner, first }
})
