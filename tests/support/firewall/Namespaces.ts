/**
 * Two network namespaces joined by a wire: a host with a firewall, and strangers with several addresses. Needs root and
 * a kernel that permits namespaces and nftables. Nothing outside the namespaces changes.
 */
import { Effect, type Scope } from "effect"
import { execFile, execFileSync, spawn } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Probe } from "./probe.ts"

/** The host, on both families. */
export const host = { v4: "198.51.100.1", v6: "2001:db8:1::1" } as const

/** Addresses of strangers. The first one sends the marks, and must be neither banned nor a trunk. */
export const strangers = { plain: "198.51.100.7", trunk: "198.51.100.20", bad: "198.51.100.66" } as const
export const strangers6 = { plain: "2001:db8:1::7", bad: "2001:db8:1:66::1" } as const

/** Addresses of the two ends of the wire. */
const hardware = { inside: "02:00:00:00:00:01", outside: "02:00:00:00:00:02" } as const

/** Ports that answer inside the host; the firewall decides who sees them. */
const ports = {
  tcp: [21, 22, 25, 80, 443, 993, 2222, 5060, 5067, 5080, 5432, 7443, 8080],
  udp: [53, 5060, 5061, 5080, 16_383, 16_384, 32_768, 32_769]
}

const run = promisify(execFile)
const setUp = (program: string, args: ReadonlyArray<string>) => execFileSync(program, args, { stdio: "pipe" })

/**
 * Enters an address of the other end of the wire. Without it, the first packet to an address waits for a look-up, and
 * the mark of a probe arrives earlier.
 */
const neighbour = (name: string, address: string, lladdr: string) =>
  setUp("ip", ["-n", name, "neigh", "replace", address, "lladdr", lladdr, "dev", "wire", "nud", "permanent"])

/** Why this machine permits no namespaces with a firewall; undefined when it does. */
export const refusal = (): string | undefined => {
  const name = `signalbox-${process.pid}-try`
  try {
    setUp("ip", ["netns", "add", name])
    try {
      setUp("ip", ["netns", "exec", name, "nft", "add table inet signalbox"])
      setUp("ip", ["link", "add", `sbt${process.pid}`, "netns", name, "type", "veth", "peer", "name", "other"])
      return undefined
    } finally {
      setUp("ip", ["netns", "del", name])
    }
  } catch (error) {
    return `this machine permits no network namespaces with nftables: ${String(error).split("\n")[0]}`
  }
}

export interface Namespaces {
  /** Runs nft in the host's namespace. */
  readonly nft: (...args: ReadonlyArray<string>) => Effect.Effect<void>
  /** Whether each port answers. */
  readonly ask: (...probes: ReadonlyArray<Probe>) => Effect.Effect<ReadonlyArray<boolean>>
}

export const make: Effect.Effect<Namespaces, never, Scope.Scope> = Effect.gen(function* () {
  const [inside, outside] = [`signalbox-${process.pid}-host`, `signalbox-${process.pid}-world`]
  const within = (name: string, ...args: ReadonlyArray<string>) => ["netns", "exec", name, ...args]
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      for (const name of [inside, outside]) setUp("ip", ["netns", "add", name])
    }),
    () =>
      Effect.sync(() => {
        for (const name of [inside, outside]) setUp("ip", ["netns", "del", name])
      })
  )
  setUp("ip", ["link", "add", "wire", "netns", inside, "type", "veth", "peer", "name", "wire", "netns", outside])
  const address = (name: string, ...all: ReadonlyArray<string>) => {
    setUp("ip", ["-n", name, "link", "set", "wire", "address", hardware[name === inside ? "inside" : "outside"]])
    // Without duplicate address detection the IPv6 addresses can be used at once.
    for (const one of all)
      setUp("ip", ["-n", name, "addr", "add", one, "dev", "wire", ...(one.includes(":") ? ["nodad"] : [])])
    for (const device of ["lo", "wire"]) setUp("ip", ["-n", name, "link", "set", device, "up"])
  }
  address(inside, `${host.v4}/24`, `${host.v6}/48`)
  address(
    outside,
    ...Object.values(strangers).map((one) => `${one}/24`),
    ...Object.values(strangers6).map((one) => `${one}/48`)
  )
  for (const one of Object.values(host)) neighbour(outside, one, hardware.inside)
  for (const one of [...Object.values(strangers), ...Object.values(strangers6)])
    neighbour(inside, one, hardware.outside)
  yield* Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ReturnType<typeof spawn>>((resolve, reject) => {
          const script = join(import.meta.dirname, "respond.ts")
          const child = spawn("ip", within(inside, process.execPath, script, JSON.stringify(ports)), {
            stdio: ["ignore", "pipe", "inherit"]
          })
          child.stdout.once("data", () => resolve(child))
          child.once("exit", (code) => reject(new Error(`the responder ended with ${code}`)))
        })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  return {
    nft: (...args) => Effect.promise(() => run("ip", within(inside, "nft", ...args))),
    ask: (...probes) =>
      Effect.promise(async () => {
        const mark: Probe = { kind: "udp", port: 5060, from: strangers.plain, to: host.v4 }
        const script = join(import.meta.dirname, "probe.ts")
        const { stdout } = await run("ip", within(outside, process.execPath, script, JSON.stringify({ mark, probes })))
        return JSON.parse(stdout)
      })
  }
})
