/** Findings about name servers that fail. Pure. */
import type { NameServer, Observation, Outcome } from "../observe/Observation.ts"
import { type Finding, partly } from "./Finding.ts"
import { isDefinite } from "./AnswerSummary.ts"

type Trouble =
  | "lame_delegation"
  | "name_servers_silent"
  | "server_failure"
  | "private_name_servers"
  | "name_servers_unknown"

const troubleOf: Partial<Readonly<Record<Outcome, Trouble>>> = {
  lame: "lame_delegation",
  // Servers refuse zones that they do not serve. Source: RFC 1035 §4.1.1, RFC 8499 §7 (lame delegation).
  refused: "lame_delegation",
  timeout: "name_servers_silent",
  unreachable: "name_servers_silent",
  servfail: "server_failure",
  malformed: "server_failure",
  forbidden: "private_name_servers"
}

/**
 * One finding per kind of failure. A server that answered any question is left out, because the failed question has its
 * own finding.
 */
export const serverTroubles = (observation: Observation): ReadonlyArray<Finding> => {
  const servers = new Map<string, { readonly server: NameServer; trouble: Trouble | undefined; well: boolean }>()
  for (const server of observation.delegation.servers) {
    if (server.address === null) servers.set(keyOf(server), { server, trouble: "name_servers_unknown", well: false })
  }
  for (const { said, server } of observation.asked.flatMap(({ authorities }) => authorities)) {
    const known = servers.get(keyOf(server)) ?? { server, trouble: undefined, well: false }
    servers.set(keyOf(server), {
      server,
      trouble: known.trouble ?? troubleOf[said.outcome],
      well: known.well || isDefinite(said) || said.outcome === "cname_loop"
    })
  }
  const all = [...servers.values()]
  const some = all.some(({ well }) => well)
  return [
    ...Map.groupBy(
      all.filter(({ trouble, well }) => !well && trouble !== undefined),
      ({ trouble }) => trouble!
    )
  ].map(([code, of]): Finding => ({
    code,
    record: null,
    args: { servers: of.map(({ server }) => shown(server)).toSorted(), ...(some ? partly : {}) }
  }))
}

const keyOf = ({ address, name }: NameServer) => `${name} ${address}`
const shown = ({ address, name }: NameServer) => (address === null ? name : `${name} (${address})`)
