// Location of a peer's instance: on this machine, or in a folder with a newer Debian. Paths in that folder are relative
// to its root.

import { Effect, type Scope } from "effect"
import { requirePeer } from "./install.ts"
import { scratchFolder } from "./Loopback.ts"
import { PeerError } from "./PeerError.ts"
import { type PeerName, peers } from "./Peers.ts"

export interface PeerPlace {
  /** Folder of this instance, as the test sees it. */
  readonly folder: string
  /** The same folder as the program sees it. */
  readonly inside: string
  /** Command line that runs a program of the peer. */
  readonly command: (
    program: string,
    args: ReadonlyArray<string>
  ) => { readonly command: string; readonly args: ReadonlyArray<string> }
}

/** Makes the folder of an instance; the end of the scope removes it. Fails when the peer is missing. */
export const make = Effect.fnUntraced(function* (name: PeerName): Effect.fn.Return<PeerPlace, PeerError, Scope.Scope> {
  const found = requirePeer(name)
  if (!found.available) return yield* new PeerError({ peer: name, reason: "NotInstalled", message: found.reason })
  const root = peers[name].newer?.folder
  if (root === undefined) {
    const folder = yield* scratchFolder(name)
    return { folder, inside: folder, command: (program, args) => ({ command: program, args }) }
  }
  // A plain chroot works in a container, and without mounts nothing remains after a killed test run.
  const folder = yield* scratchFolder(name, `${root}/tmp`)
  return {
    folder,
    inside: folder.slice(root.length),
    command: (program, args) => ({ command: "chroot", args: [root, program, ...args] })
  }
})
