// A real unbound that resolves from a test root zone, validates DNSSEC and caches nothing.

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { requirePeer } from "../peers/install.ts"
import { scratchFolder } from "../peers/Loopback.ts"
import { PeerError } from "../peers/PeerError.ts"
import * as ServerProcess from "../peers/ServerProcess.ts"
import { answers } from "./Ready.ts"

export interface Unbound extends ServerProcess.ServerProcess {
  readonly address: string
  readonly port: number
}

/**
 * Starts an unbound until the end of the scope. `root`: address of a root name server at port 53. `trustAnchors`:
 * complete DS records.
 */
export const make = Effect.fnUntraced(function* (options: {
  readonly address: string
  readonly root: string
  readonly trustAnchors?: ReadonlyArray<string>
}): Effect.fn.Return<Unbound, PeerError, Scope.Scope> {
  const found = requirePeer("unbound")
  if (!found.available) return yield* new PeerError({ peer: "unbound", reason: "NotInstalled", message: found.reason })
  const folder = yield* scratchFolder("unbound")
  const port = 53
  writeFileSync(join(folder, "root.hints"), `. 3600 NS a.root.invalid.\na.root.invalid. 3600 A ${options.root}\n`)
  writeFileSync(join(folder, "unbound.conf"), configuration(folder, options))
  const server = yield* ServerProcess.make({
    peer: "unbound",
    command: found.path,
    args: ["-d", "-c", join(folder, "unbound.conf")],
    cwd: folder,
    isReady: () => answers(options.address, port, "."),
    log: () => ""
  })
  return { ...server, address: options.address, port }
})

const configuration = (
  folder: string,
  options: { readonly address: string; readonly trustAnchors?: ReadonlyArray<string> }
): string =>
  [
    "server:",
    `  interface: ${options.address}`,
    // Test servers distinguish queries of unbound from ours by the source address.
    `  outgoing-interface: ${options.address}`,
    "  port: 53",
    "  access-control: 127.0.0.0/8 allow",
    // The test servers run on loopback, and `.test` must resolve like a normal domain.
    "  do-not-query-localhost: no",
    '  local-zone: "test." nodefault',
    "  do-ip6: no",
    "  do-daemonize: no",
    "  use-syslog: no",
    '  chroot: ""',
    '  username: ""',
    `  directory: "${folder}"`,
    `  pidfile: "${folder}/unbound.pid"`,
    `  root-hints: "${folder}/root.hints"`,
    "  num-threads: 1",
    "  msg-cache-size: 1m",
    "  rrset-cache-size: 1m",
    "  cache-max-ttl: 0",
    "  cache-max-negative-ttl: 0",
    // A server that did not answer once is queried again at once.
    "  infra-host-ttl: 0",
    ...(options.trustAnchors ?? []).map((anchor) => `  trust-anchor: "${anchor}"`),
    "remote-control:",
    "  control-enable: no",
    ""
  ].join("\n")
