// Where one Dovecot of a test stands: on this machine, or in a folder with a newer Debian. There, all paths are as that
// Debian's root has them.

import { Effect, type Scope } from "effect"
import { dovecotConfig, type DovecotSettings } from "./DovecotConfig.ts"
import { dovecotConfig24 } from "./DovecotConfig24.ts"
import type { DovecotVersion } from "./DovecotSnippet.ts"
import { availability } from "./install.ts"
import { scratchFolder } from "./Loopback.ts"
import { PeerError } from "./PeerError.ts"
import { peers } from "./Peers.ts"

export interface DovecotPlace {
  /** This instance's own folder, as we see it. */
  readonly folder: string
  /** The same folder as Dovecot sees it. */
  readonly inside: string
  /** How `dovecot` or `doveadm` is called. */
  readonly command: (
    program: "dovecot" | "doveadm",
    args: ReadonlyArray<string>
  ) => { readonly command: string; readonly args: ReadonlyArray<string> }
  readonly config: (settings: DovecotSettings) => string
}

/** The peer that a version is. */
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
  // A plain chroot: no mounts, so nothing is left of it when we are killed, and it works in a container.
  const folder = yield* scratchFolder("dovecot", `${root}/tmp`)
  return {
    folder,
    inside: folder.slice(root.length),
    command: (program, args) => ({ command: "chroot", args: [root, program, ...args] }),
    config: dovecotConfig24
  }
})
