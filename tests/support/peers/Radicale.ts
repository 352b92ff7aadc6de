// A real Radicale for a test: CardDAV and CalDAV over plain HTTP on its own loopback port.

import { Effect, type Scope } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requirePeer } from "./install.ts"
import { freePort, scratchFolder } from "./Loopback.ts"
import { PeerError } from "./PeerError.ts"
import * as ServerProcess from "./ServerProcess.ts"

export interface Radicale extends ServerProcess.ServerProcess {
  readonly port: number
  /** Lets only these users in; takes effect at the next request. */
  readonly setUsers: (users: ReadonlyArray<{ readonly name: string; readonly password: string }>) => void
}

/** Starts the server without users; it ends with the scope. */
export const make: Effect.Effect<Radicale, PeerError, Scope.Scope> = Effect.gen(function* () {
  const found = requirePeer("radicale")
  if (!found.available) return yield* new PeerError({ peer: "radicale", reason: "NotInstalled", message: found.reason })
  const port = yield* freePort
  const folder = yield* scratchFolder("radicale")
  const users = join(folder, "users")
  writeFileSync(users, "")
  mkdirSync(join(folder, "collections"))
  writeFileSync(
    join(folder, "config"),
    [
      "[server]",
      `hosts = 127.0.0.1:${port}`,
      "[auth]",
      "type = htpasswd",
      `htpasswd_filename = ${users}`,
      "htpasswd_encryption = plain",
      "delay = 0",
      "[rights]",
      "type = owner_only",
      "[storage]",
      `filesystem_folder = ${join(folder, "collections")}`,
      ""
    ].join("\n")
  )
  const server = yield* ServerProcess.make({
    peer: "radicale",
    command: found.path,
    args: ["--config", join(folder, "config")],
    cwd: folder,
    isReady: () =>
      fetch(`http://127.0.0.1:${port}/.web/`, { redirect: "manual" }).then(
        ({ status }) => status < 500,
        () => false
      ),
    log: () => ""
  })
  return {
    ...server,
    port,
    setUsers: (all) => writeFileSync(users, all.map(({ name, password }) => `${name}:${password}\n`).join(""))
  }
})
