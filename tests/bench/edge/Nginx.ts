/**
 * A real nginx with the shipped configuration. It sends an auth request to a given server and then serves a small file.
 */
import { Effect, type Scope } from "effect"
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort, scratchFolder } from "#support/peers/Loopback.ts"
import { findProgram } from "#support/peers/Peers.ts"
import * as ServerProcess from "#support/peers/ServerProcess.ts"

const shipped = join(import.meta.dirname, "../../../config/nginx")

/**
 * Starts nginx. `asked`: port of the authentication server. Returns nginx's port; undefined when nginx is not
 * installed.
 */
export const start = (asked: number): Effect.Effect<number | undefined, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const program = findProgram("nginx")
    if (program === undefined) return undefined
    const [own, folder] = [yield* freePort, yield* scratchFolder("nginx")]
    const file = join(folder, "nginx.conf")
    cpSync(shipped, folder, { recursive: true })
    const bans = readFileSync(join(folder, "bans.conf"), "utf8")
    // The bench is one client, which the shipped rate would throttle.
    writeFileSync(join(folder, "bans.conf"), bans.replace("rate=200r/s", "rate=1000000r/s"))
    mkdirSync(join(folder, "www"))
    writeFileSync(join(folder, "www/index.html"), "passed\n")
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
      .join(" ")
    writeFileSync(
      file,
      `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log; events {}
http { access_log off; keepalive_requests 1000000000; ${temporary}
  include ${folder}/bans.conf;
  upstream signalbox_edge { server 127.0.0.1:${asked}; keepalive 64; keepalive_requests 1000000000; }
  server { listen 127.0.0.1:${own}; include ${folder}/edge-auth.conf; location / { root ${folder}/www; } }
}\n`
    )
    yield* ServerProcess.make({
      peer: "nginx",
      command: program,
      args: ["-c", file, "-e", `${folder}/log`],
      cwd: folder,
      isReady: () =>
        fetch(`http://127.0.0.1:${own}/`).then(
          () => true,
          () => false
        ),
      log: () => ""
    })
    return own
  })
