/**
 * One server that is resolver and authority in one, for tests of what is answered about DNS: it says what `say` was
 * told, and of the rest that there is no such name.
 */
import type { Answer } from "dns-packet"
import { Effect } from "effect"
import * as HostileServer from "#support/dns/HostileServer.ts"
import { makeNetwork } from "#support/dns/Network.ts"

export interface SmallDns {
  /** Variables of a daemon that asks it. */
  readonly env: Readonly<Record<string, string>>
  /** All records of a name from now on; no type: the name is there and has nothing. */
  readonly say: (name: string, records: ReadonlyArray<Answer>) => void
  /** Gives a domain name servers, all of them this one. */
  readonly delegate: (domain: string, ...servers: ReadonlyArray<string>) => void
  /** How many questions came about a name and those below it. */
  readonly asked: (name: string) => number
}

export const smallDns = Effect.gen(function* () {
  const network = makeNetwork()
  const address = network.address(1)
  const names = new Map<string, ReadonlyArray<Answer>>()
  const { asked, port } = yield* HostileServer.make(address, 0, ({ name, type }) => {
    const records = names.get(name.toLowerCase())
    if (records === undefined) return [{ rcode: 3 }]
    return [{ answers: records.filter((record) => record.type === type || record.type === "CNAME") }]
  })
  const say: SmallDns["say"] = (name, records) => void names.set(name, records)
  return {
    env: {
      SIGNALBOX_RESOLVERS: `${address}:${port}`,
      SIGNALBOX_DNS_ALLOW_CIDRS: network.cidr,
      SIGNALBOX_DNS_PORT: String(port)
    },
    say,
    delegate: (domain, ...servers) => {
      say(domain, [
        ...(names.get(domain) ?? []).filter(({ type }) => type !== "NS"),
        HostileServer.soa(domain),
        ...servers.map((server) => HostileServer.ns(domain, server))
      ])
      for (const server of servers) say(server, [HostileServer.a(server, address)])
    },
    asked: (name) => asked.filter((question) => question.name === name || question.name.endsWith(`.${name}`)).length
  } satisfies SmallDns as SmallDns
})
