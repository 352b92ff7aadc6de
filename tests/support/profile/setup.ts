/**
 * First setup file of every test file in a profiled run: marks the worker's processor time at each step, moves the
 * worker and each process that it starts into control groups, and writes events. See Profile.ts.
 */
import childProcess from "node:child_process"
import { readFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { moveInto, readOwnUsage, readWorker } from "./Cgroups.ts"
import { cgroupVariable, currentFile, type Mark, write } from "./Events.ts"
import { kindOf } from "./ProcessKinds.ts"

const run = process.env[cgroupVariable]
const group = run === undefined ? undefined : join(run, `worker-${process.pid}`)
const file = currentFile()

const cpu = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Clock ticks per second in /proc. Source: proc(5); 100 on every Linux platform that Node supports. */
const ticks = 100

/** Fields cutime and cstime of /proc/self/stat. Source: proc(5). */
const childrenTime = (): number => {
  const stat = readFileSync("/proc/self/stat", "utf8")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[13]) + Number(fields[14])) / ticks
}

const mark = (e: Mark["e"], more: Partial<Mark> = {}): void =>
  write({ e, file, pid: process.pid, at: Date.now(), cpu: cpu(), children: childrenTime(), ...more })

/** Set in a worker process that has hooks already, because it runs several files. */
const installed = Symbol.for("signalbox.test.profile")
const worker = globalThis as { [installed]?: true }

if (worker[installed] === undefined) {
  worker[installed] = true
  // The first file of a worker also counts the start of the process.
  mark("setup", { at: Date.now() - process.uptime() * 1000 })
  if (group !== undefined) moveInto(group, process.pid)
  countChildren()
  countBlockingChildren()
} else mark("setup", groupsSpent())

function groupsSpent(): Pick<Mark, "groups"> {
  return group === undefined ? {} : { groups: readWorker(group) }
}

let begun = false
beforeAll(() => mark("collected"))
beforeEach(() => {
  if (!begun) mark("tests")
  begun = true
})
afterAll(() => mark("end", groupsSpent()))

/** Wraps the method below spawn, exec, execFile and fork. The child runs for some 0.1 ms before it is moved. */
function countChildren(): void {
  const prototype = (childProcess as unknown as { ChildProcess: { prototype: Spawning } }).ChildProcess.prototype
  const spawn = prototype.spawn
  prototype.spawn = function (options) {
    const result = Reflect.apply(spawn, this, [options])
    const { cause, kind } = kindOf([options.file, ...(options.args ?? []).slice(1)])
    write({ e: "spawn", file: currentFile(), cause, kind })
    if (group !== undefined && this.pid !== undefined) moveInto(join(group, cause), this.pid)
    return result
  }
}

function spentByAll(): number {
  return group === undefined ? childrenTime() : readOwnUsage(group)
}

interface Spawning {
  readonly pid?: number
  spawn: (options: { readonly file: string; readonly args?: ReadonlyArray<string> }) => unknown
}

/** Measures processes that the worker blocks on: growth of the worker's group without its own processor time. */
function countBlockingChildren(): void {
  for (const name of ["spawnSync", "execFileSync", "execSync"] as const) {
    const original = childProcess[name] as (...args: ReadonlyArray<unknown>) => unknown
    const wrapped = (...args: ReadonlyArray<unknown>): unknown => {
      const [before, own] = [spentByAll(), cpu()]
      try {
        return original(...args)
      } finally {
        const spent = spentByAll() - before - (group === undefined ? 0 : cpu() - own)
        const words = [String(args[0]), ...(Array.isArray(args[1]) ? args[1].map(String) : [])]
        const { cause, kind } = kindOf(name === "execSync" ? words[0]!.split(" ") : words)
        write({ e: "spawn", file: currentFile(), cause, kind, seconds: Math.max(0, spent) })
      }
    }
    Object.assign(childProcess, { [name]: wrapped })
  }
  syncBuiltinESMExports()
}
