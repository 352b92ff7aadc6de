/** The user at the other end of the connection. */
import { readFileSync } from "node:fs"

export interface Peer {
  readonly pid: number
  readonly uid: number
}

/** Reads an instance name of a unix socket with Accept=yes. Source: systemd, src/core/socket.c. */
export const peerOf = (instance: string): Peer | undefined => {
  const parts = /^\d{1,10}-(\d{1,10})-(\d{1,10})$/.exec(instance)
  return parts === null ? undefined : { pid: Number(parts[1]), uid: Number(parts[2]) }
}

/** Whether the peer is root or the named user. `passwd`: text of the password file. */
export const permits = (peer: Peer | undefined, user: string, passwd: string = users()): boolean => {
  if (peer === undefined) return false
  if (peer.uid === 0) return true
  const entry = passwd.split("\n").find((line) => line.startsWith(`${user}:`))
  return entry !== undefined && Number(entry.split(":")[2] ?? Number.NaN) === peer.uid
}

const users = (): string => {
  try {
    return readFileSync("/etc/passwd", "utf8")
  } catch {
    return ""
  }
}
