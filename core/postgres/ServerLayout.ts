/**
 * Paths of the embedded server's files in the data directory. Pure: accesses no file.
 *
 * - `<data directory>/postgres/data`: the cluster, owned by the server's account, mode 0700
 * - `<data directory>/postgres/run`: the socket, owned by the server's account, mode 0700
 * - `<data directory>/postgres/lib`: links to the packaged libraries, with the names that the loader expects
 * - `<data directory>/postgres/server.log`: log of the server
 * - `<data directory>/postgres/pg_hba.conf`, `pg_ident.conf`: written at each start
 */
import { createHash } from "node:crypto"
import { join } from "node:path"

export interface ServerLayout {
  readonly root: string
  readonly data: string
  readonly links: string
  readonly log: string
  readonly hba: string
  readonly ident: string
  readonly socketDir: string
}

/** Number in the socket's file name; the server does not listen on TCP. */
export const socketPort = 5432

/**
 * Longest usable path of a unix socket. Unit: bytes. Source: unix(7), sun_path has 108 bytes including the closing NUL.
 */
export const socketPathLimit = 107

/**
 * Layout for a canonical data directory. When the socket path exceeds the limit, the socket directory is under /tmp,
 * named by a hash of the data directory. Every process with the same data directory finds the same socket.
 */
export const layoutOf = (dataDir: string): ServerLayout => {
  const root = join(dataDir, "postgres")
  const near = join(root, "run")
  const fits = Buffer.byteLength(join(near, `.s.PGSQL.${socketPort}`)) <= socketPathLimit
  return {
    root,
    data: join(root, "data"),
    links: join(root, "lib"),
    log: join(root, "server.log"),
    hba: join(root, "pg_hba.conf"),
    ident: join(root, "pg_ident.conf"),
    socketDir: fits ? near : `/tmp/signalbox-${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`
  }
}
