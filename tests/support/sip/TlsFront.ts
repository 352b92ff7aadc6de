/**
 * A real Caddy with TLS in front of the gateway. It also serves a page with a telephone at `/phone/`, and passes
 * WebSockets without a path to `/sip`, because baresip cannot name a path.
 */
import { build } from "esbuild"
import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { requirePeer } from "../peers/install.ts"
import { freePort, scratchFolder } from "../peers/Loopback.ts"
import { PeerError } from "../peers/PeerError.ts"
import * as ServerProcess from "../peers/ServerProcess.ts"
import type { TestCertificate } from "./TestCertificate.ts"

const pageSource = join(import.meta.dirname, "../console/SipPage.ts")

const caddyfile = (
  hosts: ReadonlyArray<string>,
  port: number,
  gateway: string,
  folder: string,
  { certificateFile, keyFile }: TestCertificate
): string => `{
  admin off
  auto_https off
}
${hosts.map((host) => `https://${host}:${port}`).join(", ")} {
  tls ${certificateFile} ${keyFile}
  @noPath {
    path /
    header Upgrade websocket
  }
  rewrite @noPath /sip
  handle_path /phone/* {
    root * ${folder}/page
    file_server
  }
  handle {
    reverse_proxy ${gateway}
  }
}
`

/**
 * Starts Caddy. `gateway`: `host:port`. `hosts`: names of the certificate. Returns the origin,
 * `https://localhost:port`.
 */
export const make = Effect.fnUntraced(function* (
  gateway: string,
  certificate: TestCertificate,
  hosts: ReadonlyArray<string> = ["localhost", "127.0.0.1"]
) {
  const found = requirePeer("caddy")
  if (!found.available) return yield* new PeerError({ peer: "caddy", reason: "NotInstalled", message: found.reason })
  const folder = yield* scratchFolder("caddy")
  const port = yield* freePort
  mkdirSync(join(folder, "page"))
  const page = (name: string) => join(folder, "page", name)
  yield* Effect.promise(() =>
    build({
      entryPoints: [pageSource],
      outfile: page("page.js"),
      bundle: true,
      format: "esm",
      target: "es2023",
      logLevel: "silent"
    })
  )
  writeFileSync(
    page("index.html"),
    `<!doctype html><meta charset="utf-8"><title>Telephone</title><audio autoplay></audio><script type="module" src="page.js"></script>`
  )
  const file = join(folder, "Caddyfile")
  writeFileSync(file, caddyfile(hosts, port, gateway, folder, certificate))
  yield* ServerProcess.make({
    peer: "caddy",
    command: found.path,
    args: ["run", "--adapter", "caddyfile", "--config", file],
    cwd: folder,
    env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    isReady: () => accepts(port),
    log: () => ""
  })
  return `https://localhost:${port}`
})

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => (socket.destroy(), resolve(true)))
    socket.once("error", () => resolve(false))
  })
