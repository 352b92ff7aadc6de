/**
 * A real nginx or Caddy with the shipped configuration, in front of a service and the login pages. Host
 * `unasked.example.org` is configured without authentication.
 */
import { Effect } from "effect"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { banFiles } from "#core/bans/BanFiles.ts"
import { freePort, scratchFolder } from "../peers/Loopback.ts"
import { findProgram } from "../peers/Peers.ts"
import * as ServerProcess from "../peers/ServerProcess.ts"
import { caddyArguments, nginxArguments } from "../ProxyArguments.ts"
import type { TestCertificate } from "../sip/TestCertificate.ts"

const shipped = join(import.meta.dirname, "../../../config")

export interface Place {
  readonly folder: string
  /** Port on which it listens, on all loopback addresses. */
  readonly own: number
  readonly edge: number
  readonly backend: number
  /** Certificate for TLS; undefined: plain HTTP. */
  readonly certificate?: TestCertificate
  /** Ranges in the file of banned addresses. Default: none. */
  readonly banned?: ReadonlyArray<string>
}

/** Writes the files of banned addresses into the folder, as Signalbox does. */
const writeBans = (folder: string, banned: ReadonlyArray<string> = []): void => {
  const now = Date.now()
  const bans = banned.map((address) => ({ address, until: now + 3_600_000 }))
  for (const { name, text } of banFiles(bans, now)) writeFileSync(join(folder, name), text)
}

export interface Dialect {
  readonly program: "nginx" | "caddy"
  /** Writes and checks the configuration. Returns the program's arguments. */
  readonly prepare: (program: string, place: Place) => Effect.Effect<ReadonlyArray<string>>
}

export const nginx: Dialect = {
  program: "nginx",
  prepare: (program, { backend, banned, certificate, edge, folder, own }) => {
    const main = join(folder, "nginx.conf")
    cpSync(join(shipped, "nginx"), folder, { recursive: true })
    const bans = readFileSync(join(folder, "bans.conf"), "utf8")
    writeFileSync(join(folder, "bans.conf"), bans.replace("/var/lib/signalbox-network", folder))
    writeBans(folder, banned)
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
      .join(" ")
    const listen =
      certificate === undefined
        ? `listen 127.0.0.1:${own};`
        : `listen 127.0.0.1:${own} ssl; ssl_certificate ${certificate.certificateFile}; ssl_certificate_key ${certificate.keyFile};`
    writeFileSync(
      main,
      `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log; events {}
http { access_log off; client_max_body_size 0; proxy_request_buffering off; ${temporary}
  include ${folder}/bans.conf;
  upstream signalbox_edge { server 127.0.0.1:${edge}; keepalive 64; }
  server { ${listen} include ${folder}/edge-auth.conf; include ${folder}/edge-handoff.conf;
    location / { proxy_pass http://127.0.0.1:${backend}; }
    location /socket { proxy_pass http://127.0.0.1:${backend}; proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade; include ${folder}/edge-auth-headers.conf; }
  }
  server { ${listen} server_name auth.example.org; include ${folder}/edge-auth-login.conf; }
  server { ${listen} server_name unasked.example.org; location / { proxy_pass http://127.0.0.1:${backend}; } }
}\n`
    )
    return nginxArguments(program, main, folder)
  }
}

export const caddy: Dialect = {
  program: "caddy",
  prepare: (program, { backend, banned, certificate, edge, folder, own }) => {
    const main = join(folder, "Caddyfile")
    writeBans(folder, banned)
    const snippets = ["auth", "handoff"]
      .map((name) => readFileSync(join(shipped, `caddy/edge-${name}.caddyfile`), "utf8"))
      .join("\n")
      .replaceAll("{$SIGNALBOX_EDGE:127.0.0.1:8113}", `127.0.0.1:${edge}`)
      .replaceAll("{$SIGNALBOX_NETWORK_DIR:/var/lib/signalbox-network}", folder)
    const [scheme, tls] =
      certificate === undefined ? ["http", ""] : ["https", `tls ${certificate.certificateFile} ${certificate.keyFile}`]
    writeFileSync(
      main,
      `{\n\tadmin off\n\tauto_https off\n\tskip_install_trust\n}\n${snippets}
${scheme}://:${own} {
	bind 127.0.0.1
	${tls}
	@login host auth.example.org
	handle @login {
		import signalbox_edge_login
	}
	@unasked host unasked.example.org
	handle @unasked {
		reverse_proxy 127.0.0.1:${backend}
	}
	handle /.signalbox/handoff {
		import signalbox_edge_handoff
	}
	handle {
		import signalbox_edge
		reverse_proxy 127.0.0.1:${backend}
	}
}\n`
    )
    return caddyArguments(program, main, folder)
  }
}

/** Starts the proxy until the end of the scope. Returns its port. */
export const start = Effect.fnUntraced(function* (
  dialect: Dialect,
  behind: Pick<Place, "banned" | "edge" | "backend" | "certificate">
) {
  const [own, folder] = [yield* freePort, yield* scratchFolder(dialect.program)]
  const program = findProgram(dialect.program)!
  yield* ServerProcess.make({
    peer: dialect.program,
    command: program,
    args: yield* dialect.prepare(program, { ...behind, own, folder }),
    cwd: folder,
    env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    isReady: () => accepts(own),
    log: () => ""
  })
  return own
})

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => (socket.destroy(), resolve(true)))
    socket.once("error", () => resolve(false))
  })
