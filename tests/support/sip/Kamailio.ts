/**
 * A real Kamailio for a test, in the role of the switch: registrar and proxy on UDP, TLS and WebSocket, each with its
 * own loopback port. It asks sip-config for passwords and call routes, like FreeSWITCH with mod_xml_curl. It stores
 * registrations itself.
 */
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { requirePeer } from "../peers/install.ts"
import { freePort, scratchFolder } from "../peers/Loopback.ts"
import { PeerError } from "../peers/PeerError.ts"
import * as ServerProcess from "../peers/ServerProcess.ts"
import { type KamailioPlace, kamailioConfig } from "./KamailioConfig.ts"
import type { TestCertificate } from "./TestCertificate.ts"

export interface KamailioOptions extends Pick<KamailioPlace, "xmlUrl" | "token"> {
  readonly certificate: TestCertificate
  /** Answer to a wrong password. Default 403. */
  readonly wrongPassword?: 401 | 403
  /** Port for TCP and WebSocket. Default: a free port. */
  readonly tcpPort?: number
  /** Port for SIP over TLS. Default: a free port. */
  readonly tlsPort?: number
}

/** One registered address of a user. */
export interface Contact {
  /** Registered user, as `user@domain`. */
  readonly user: string
  /** Contact address as the phone sent it. */
  readonly address: string
  /** Source address of the registration, `sip:127.0.0.1:port;transport=…`. */
  readonly received: string
  readonly userAgent: string
}

export interface Kamailio extends ServerProcess.ServerProcess {
  readonly udpPort: number
  readonly tlsPort: number
  /** Value of `SIGNALBOX_SIP_WS_URL`. */
  readonly wsUrl: string
  readonly contacts: Effect.Effect<ReadonlyArray<Contact>>
}

export const make = Effect.fnUntraced(function* ({
  certificate,
  tcpPort,
  tlsPort,
  token,
  wrongPassword = 403,
  xmlUrl
}: KamailioOptions) {
  const found = requirePeer("kamailio")
  if (!found.available) return yield* new PeerError({ peer: "kamailio", reason: "NotInstalled", message: found.reason })
  const folder = yield* scratchFolder("kamailio")
  const place: KamailioPlace = {
    folder,
    udpPort: yield* freePort,
    tlsPort: tlsPort ?? (yield* freePort),
    tcpPort: tcpPort ?? (yield* freePort),
    certificate: certificate.certificateFile,
    key: certificate.keyFile,
    xmlUrl,
    token,
    wrongPassword
  }
  const file = join(folder, "kamailio.cfg")
  writeFileSync(file, kamailioConfig(place), { mode: 0o600 })
  const server = yield* ServerProcess.make({
    peer: "kamailio",
    command: found.path,
    args: ["-DD", "-E", "-m", "64", "-f", file, "-w", folder, "-Y", folder, "-P", join(folder, "pid")],
    cwd: folder,
    isReady: () =>
      rpc(place.tcpPort, "core.version").then(
        () => true,
        () => false
      ),
    log: () => ""
  })
  return {
    ...server,
    udpPort: place.udpPort,
    tlsPort: place.tlsPort,
    wsUrl: `ws://127.0.0.1:${place.tcpPort}`,
    contacts: Effect.promise(async () => contactsOf(await rpc(place.tcpPort, "ul.dump")))
  } satisfies Kamailio as Kamailio
})

const rpc = async (port: number, method: string): Promise<any> => {
  const response = await fetch(`http://127.0.0.1:${port}/RPC`, {
    method: "POST",
    signal: AbortSignal.timeout(2_000),
    body: JSON.stringify({ jsonrpc: "2.0", method, id: 1 })
  })
  const { error, result } = (await response.json()) as { readonly error?: unknown; readonly result?: unknown }
  if (error !== undefined) throw new Error(JSON.stringify(error))
  return result
}

const contactsOf = (dump: any): ReadonlyArray<Contact> =>
  dump.Domains.flatMap(({ Domain: { AoRs } }: any) =>
    AoRs.flatMap(({ Info: { AoR, Contacts } }: any) =>
      Contacts.map(({ Contact: one }: any) => ({
        user: AoR,
        address: one.Address,
        received: one.Received,
        userAgent: one["User-Agent"]
      }))
    )
  )
