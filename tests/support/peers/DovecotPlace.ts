// Location of a test's Dovecot: on this machine, or in a folder with a newer Debian. Paths in that folder are relative
// to its root.

import { Effect, type Scope } from "effect"
import { dovecotConfig, type DovecotSettings } from "./DovecotConfig.ts"
import { dovecotConfig24 } from "./DovecotConfig24.ts"
import type { DovecotVersion } from "./DovecotSnippet.ts"
import { availability } from "./install.ts"
import { scratchFolder } from "./Loopback.ts"
import { PeerError } from "./PeerError.ts"
import { peers } from "./Peers.ts"

export interface DovecotPlace {
  /** Folder of this instance, as the test sees it. */
  readonly folder: string
  /** The same folder as Dovecot sees it. */
  readonly inside: string
  /** Command line that runs `dovecot` or `doveadm`. */
  readonly command: (
    program: "dovecot" | "doveadm",
    args: ReadonlyArray<string>
  ) => { readonly command: string; readonly args: ReadonlyArray<string> }
  readonly config: (settings: DovecotSettings) => string
}

/** Peer of a Dovecot version. */
export const peerOf = (version: DovecotVersion) => (version === "2.4" ? "dovecot24" : "dovecot")

export const make = Effect.fnUntraced(function* (
  version: DovecotVersion
): Effect.fn.Return<DovecotPlace, PeerError, Scope.Scope> {
  const name = peerOf(version)
  const found = availability(name)
  if (!found.available) return yield* new PeerError({ peer: name, reason: "NotInstalled", message: found.reason })
  const root = peers[name].newer?.folder
  if (root === undefined) {
    const folder = yield* scratchFolder("dovecot")
    return { folder, inside: folder, command: (program, args) => ({ command: program, args }), config: dovecotConfig }
  }
  // A plain chroot works in a container, and without mounts nothing remains after a killed test run.
  const folder = yield* scratchFolder("dovecot", `${root}/tmp`)
  return {
    folder,
    inside: folder.slice(root.length),
    command: (program, args) => ({ command: "chroot", args: [root, program, ...args] }),
    config: dovecotConfig24
  }
})
