// A real unbound that resolves from a root of the test's own, checks signatures, and keeps nothing.

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
 * `root`: the address of a server of the root zone, at port 53. `trustAnchors`: whole DS records. Gone with the scope.
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
    // So that servers of tests can tell its questions from ours.
    `  outgoing-interface: ${options.address}`,
    "  port: 53",
    "  access-control: 127.0.0.0/8 allow",
    // Servers of tests are nowhere else, and .test is a name like any other there.
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
    // A server that was silent once is asked again.
    "  infra-host-ttl: 0",
    ...(options.trustAnchors ?? []).map((anchor) => `  trust-anchor: "${anchor}"`),
    "remote-control:",
    "  control-enable: no",
    ""
  ].join("\n")
