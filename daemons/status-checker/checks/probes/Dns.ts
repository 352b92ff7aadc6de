/** Checks the DNS records of a name. Ignores the hosts file. */
import { Duration, Effect, Result } from "effect"
import { getServers } from "node:dns"
import type { Client, NoReply } from "#protocols/dns/Client.ts"
import { rcodes, type Reply } from "#protocols/dns/Message.ts"
import { parseHost } from "#protocols/dns/Name.ts"
import { canonicalContent } from "#protocols/dns/RecordContent.ts"
import { typeNumbers } from "#protocols/dns/RecordData.ts"
import { parseServer, type ServerAddress } from "#protocols/dns/ServerAddress.ts"
import type { ProbeResult } from "#core/probes/ProbeResult.ts"
import type { Probe } from "../../status/Probe.ts"
import { finding } from "#core/probes/Finding.ts"

type DnsProbe = Extract<Probe, { kind: "dns" }>

/** Maximum number of system resolvers that are asked in turn. Source: resolv.conf(5), MAXNS. */
const maxResolvers = 3

export const probe = (client: Client, wanted: DnsProbe, timeout: Duration.Duration): Effect.Effect<ProbeResult> =>
  Effect.promise(async () => {
    const own = wanted.server !== null
    const servers = own ? [parseServer(wanted.server)].flatMap((server) => server ?? []) : systemResolvers()
    const end = performance.now() + Duration.toMillis(timeout)
    let last: Reply | NoReply | undefined
    for (const [index, server] of servers.entries()) {
      // Each server gets an equal share of the remaining time.
      const until = performance.now() + (end - performance.now()) / (servers.length - index)
      last = await client.ask({
        server,
        name: wanted.name.toLowerCase().replace(/\.$/, ""),
        type: wanted.type,
        recursion: true,
        until,
        patient: true
      })
      if (typeof last !== "string" && last.rcode !== rcodes.refused) break
    }
    return judge(last, wanted, own)
  })

const systemResolvers = (): ReadonlyArray<ServerAddress> =>
  getServers()
    .flatMap((text) => parseServer(text) ?? [])
    .slice(0, maxResolvers)

/**
 * Result of a reply. `own`: the probe names its server; otherwise a silent resolver of this host says nothing about the
 * name. Pure.
 */
export const judge = (
  reply: Reply | NoReply | undefined,
  { expect, type }: Pick<DnsProbe, "expect" | "type">,
  own: boolean
): ProbeResult => {
  const found = (outcome: ProbeResult["outcome"], detail: string) => finding("dns", outcome, detail)
  if (reply === undefined) return found("unknown", "this host has no resolver")
  if (typeof reply === "string")
    return found(own ? "down" : "unknown", reply === "timeout" ? "no answer in time" : `no answer: ${reply}`)
  if (reply.rcode === rcodes.nxDomain) return found("down", "no such name")
  if (reply.rcode === rcodes.refused && !own) return found("unknown", "this host's resolver refuses")
  if (reply.rcode !== rcodes.noError) return found("down", `answered with code ${reply.rcode}`)
  const values = reply.answers.filter((record) => record.type === typeNumbers[type]).map(({ content }) => content)
  if (values.length === 0) return found("down", `no ${type} records`)
  const missing = (expect ?? []).filter((text) => !values.includes(canonical(type, text)))
  return missing.length === 0
    ? found("up", `${values.length} ${type} records`)
    : found("down", `${missing.length} of ${expect?.length} expected ${type} records are missing`)
}

/** Text in the form of the records of a reply. */
const canonical = (type: DnsProbe["type"], text: string): string =>
  Result.getOrElse(type === "NS" ? parseHost(text.replace(/\.$/, "")) : canonicalContent(type, text), () =>
    text.trim().toLowerCase()
  )
