/**
 * Finds the program that listens on a TCP port of this machine, from /proc. Programs of other users are found by root
 * only.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"

/** State of a listening socket. Source: proc_net_tcp in the kernel's documentation, TCP_LISTEN. */
const listening = "0A"

/** Inodes of the listening sockets on a port, from the text of /proc/net/tcp or tcp6. Pure. */
export const listeningInodes = (table: string, port: number): ReadonlyArray<string> =>
  table.split("\n").flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
    return state === listening && inode !== undefined && Number.parseInt(local?.split(":")[1] ?? "", 16) === port
      ? [inode]
      : []
  })

/** Name of a program for the error message. Leaves out its arguments, which may contain a password. Pure. */
export const describeProgram = (pid: number, name: string, words: ReadonlyArray<string>): string =>
  words.some((word) => /(^|\/)dist\/signalbox\.js$/.test(word))
    ? `another Signalbox (process ${pid})`
    : `${name} (process ${pid})`

/** The program that listens on the port; undefined when it is not visible to this user. */
export const holderOf = (port: number): string | undefined => {
  const sockets = new Set(
    ["tcp", "tcp6"]
      .flatMap((file) => listeningInodes(readText(`/proc/net/${file}`), port))
      .map((id) => `socket:[${id}]`)
  )
  if (sockets.size === 0) return undefined
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    if (!openFiles(pid).some((file) => sockets.has(file))) continue
    const words = readText(`/proc/${pid}/cmdline`).split("\0")
    return describeProgram(Number(pid), readText(`/proc/${pid}/comm`).trim(), words)
  }
  return undefined
}

/** Error message for a port that is in use. `setting`: variable that sets the port. */
export const inUse = (port: number, setting: string | undefined): string =>
  `the port is in use by ${holderOf(port) ?? "another program"}` +
  (setting === undefined ? "" : `. Stop that program, or set ${setting} to another port`)

const readText = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** Targets of the open file descriptors of a process; empty when they are not visible. */
const openFiles = (pid: string): ReadonlyArray<string> => {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((descriptor) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${descriptor}`)
      } catch {
        return ""
      }
    })
  } catch {
    return []
  }
}
