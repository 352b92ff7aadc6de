// A real OpenSSH server for a test, on its own loopback port, which offers SFTP to the account of the test.

import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"
import { requirePeer } from "./install.ts"
import { banner, freePort, scratchFolder } from "./Loopback.ts"
import { PeerError } from "./PeerError.ts"
import * as ServerProcess from "./ServerProcess.ts"

export interface Sshd extends ServerProcess.ServerProcess {
  readonly port: number
  readonly user: string
  /** Folder of the server's account that the test uses. */
  readonly folder: string
  /** Key that may sign in. */
  readonly keyFile: string
  /** known_hosts file with the key of the server. */
  readonly knownHosts: string
}

/** Folder that sshd wants when it runs as root. Source: sshd(8). */
const separation = "/run/sshd"

/** Starts the server; it ends with the scope. */
export const make: Effect.Effect<Sshd, PeerError, Scope.Scope> = Effect.gen(function* () {
  const found = requirePeer("sshd")
  if (!found.available) return yield* new PeerError({ peer: "sshd", reason: "NotInstalled", message: found.reason })
  const port = yield* freePort
  const folder = yield* scratchFolder("sshd")
  const [host, keyFile] = [join(folder, "host"), join(folder, "client key")]
  for (const path of [host, keyFile]) execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path])
  const authorized = join(folder, "authorized")
  writeFileSync(authorized, readFileSync(`${keyFile}.pub`))
  chmodSync(authorized, 0o600)
  const knownHosts = join(folder, "known hosts")
  writeFileSync(knownHosts, `[127.0.0.1]:${port} ${readFileSync(`${host}.pub`, "utf8")}`)
  const config = join(folder, "sshd_config")
  writeFileSync(
    config,
    [
      `Port ${port}`,
      "ListenAddress 127.0.0.1",
      `HostKey ${host}`,
      `AuthorizedKeysFile ${authorized}`,
      "PasswordAuthentication no",
      "KbdInteractiveAuthentication no",
      "PermitRootLogin prohibit-password",
      "UsePAM no",
      // The folder for temporary files is writable by everybody.
      "StrictModes no",
      "PidFile none",
      "Subsystem sftp internal-sftp",
      ""
    ].join("\n")
  )
  if (process.getuid?.() === 0) mkdirSync(separation, { recursive: true, mode: 0o755 })
  const server = yield* ServerProcess.make({
    peer: "sshd",
    command: found.path,
    args: ["-D", "-e", "-f", config],
    cwd: folder,
    isReady: async () => (await banner(port))?.startsWith("SSH-") === true,
    log: () => ""
  })
  return { ...server, port, user: userInfo().username, folder, keyFile, knownHosts }
})
