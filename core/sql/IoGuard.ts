/**
 * Proves in tests that no network or file I/O happens while a transaction is open. An open transaction holds back the
 * event horizon of the whole fleet, so it must not wait for other parties.
 *
 * `install` wraps Node's entry points. A call from a fiber inside a transaction throws `IoInTransaction`. The violation
 * is also recorded, because surrounding code may turn the error into another one. Calls of an async function after its
 * first `await` are not detected. Never installed in production.
 */
import { Fiber } from "effect"
import childProcess from "node:child_process"
import dgram from "node:dgram"
import dns from "node:dns"
import fs from "node:fs"
import http from "node:http"
import https from "node:https"
import { syncBuiltinESMExports } from "node:module"
import net from "node:net"

/** Thrown into the fiber; names the attempted call. */
export class IoInTransaction extends Error {
  override readonly name = "IoInTransaction"
  readonly attempt: string
  constructor(attempt: string) {
    super(`${attempt} while a transaction is open`)
    this.attempt = attempt
  }
}

/**
 * Key of the context entry that sql clients add for the length of a transaction (effect/sql, TransactionConnection).
 */
const transactionKey = "effect/sql/SqlClient/TransactionConnection/"

/** File name of Postgres's unix sockets. Source: Postgres manual, unix_socket_directories. */
const postgresSocket = ".s.PGSQL."

let violations: Array<IoInTransaction> = []
let installed = false
const admitted = new Set<string>()
const ofPostgres = new WeakSet<object>()

/** Violations since the last call; a test fails when there is one. */
export const takeViolations = (): ReadonlyArray<IoInTransaction> => {
  const taken = violations
  violations = []
  return taken
}

/** Allows connections to a Postgres server on TCP; unix sockets are recognised by name. */
export const admitPostgres = (host: string, port: number): void => void admitted.add(`${host}:${port}`)

/** Whether the running fiber is inside a transaction. */
export const insideTransaction = (): boolean => {
  const context = Fiber.getCurrent()?.context
  if (context === undefined) return false
  for (const key of context.mapUnsafe.keys()) if (key.startsWith(transactionKey)) return true
  return false
}

/** Wraps Node's entry points, once per process. */
export const install = (): void => {
  if (installed) return
  installed = true
  guardSockets()
  guardAll(fs, "fs", isFileCall)
  guardAll(fs.promises, "fs/promises", isFileCall)
  guardAll(dns, "dns", (name) => /^(lookup|resolve|reverse)/.test(name))
  guardAll(dns.promises, "dns/promises", (name) => /^(lookup|resolve|reverse)/.test(name))
  guardAll(childProcess, "child_process", (name) => /^(spawn|exec|fork)/.test(name))
  guardAll(http, "http", (name) => name === "request" || name === "get")
  guardAll(https, "https", (name) => name === "request" || name === "get")
  guardAll(dgram.Socket.prototype, "dgram", (name) => name === "send")
  guardAll(globalThis, "global", (name) => name === "fetch")
  // Modules that imported a function by name get the wrapped one from here on.
  syncBuiltinESMExports()
}

const check = (attempt: string): void => {
  if (!insideTransaction() || isModuleLoading()) return
  const violation = new IoInTransaction(attempt)
  violations.push(violation)
  throw violation
}

/** A lazily loaded module is read once per process, by Node and not by the transaction. */
const isModuleLoading = (): boolean => {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 40
  const stack = new Error().stack ?? ""
  Error.stackTraceLimit = limit
  return stack.includes("node:internal/modules/")
}

/** All plain functions of `fs`, except those that do not access a disk. */
const isFileCall = (name: string): boolean =>
  /^[a-z]/.test(name) && !["toUnixTimestamp", "toNamespacedPath", "close", "closeSync"].includes(name)

/** Standard output and error: logging is always allowed. */
const isLogging = (attempt: string, first: unknown): boolean =>
  attempt.startsWith("fs.write") && (first === 1 || first === 2)

const guardAll = (owner: object, prefix: string, guarded: (name: string) => boolean): void => {
  for (const name of Object.getOwnPropertyNames(owner)) {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name)
    // A getter loads something lazily (a deprecated alias, a module) and calls no guarded function.
    if (descriptor === undefined || !("value" in descriptor)) continue
    const original: unknown = descriptor.value
    if (typeof original !== "function" || !guarded(name) || descriptor.configurable === false) continue
    const attempt = `${prefix}.${name}`
    const wrapped = function (this: unknown, ...args: ReadonlyArray<unknown>): unknown {
      if (!isLogging(attempt, args[0])) check(attempt)
      return Reflect.apply(original, this, args)
    }
    // Keeps properties of the function (realpathSync.native, util.promisify.custom).
    Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original))
    Object.defineProperty(owner, name, { ...descriptor, value: wrapped, writable: true })
  }
}

const guardSockets = (): void => {
  const { connect, write, end } = net.Socket.prototype
  net.Socket.prototype.connect = function (this: net.Socket, ...args: Array<unknown>) {
    const target = targetOf(args)
    if (target.includes(postgresSocket) || admitted.has(target)) ofPostgres.add(this)
    else check(`connect to ${target}`)
    return Reflect.apply(connect, this, args)
  } as never
  const guarded = (original: Function) =>
    function (this: net.Socket, ...args: Array<unknown>) {
      if (!isExempt(this)) check("write to a socket")
      return Reflect.apply(original, this, args)
    } as never
  net.Socket.prototype.write = guarded(write)
  net.Socket.prototype.end = guarded(end)
}

const isExempt = (socket: net.Socket): boolean => {
  // A TLS socket wraps the plain socket it started on.
  const under = (socket as { readonly _parent?: net.Socket | null })._parent
  return (
    ofPostgres.has(socket) ||
    (under !== undefined && under !== null && ofPostgres.has(under)) ||
    socket === (process.stdout as unknown) ||
    socket === (process.stderr as unknown)
  )
}

/** `host:port` or a path, from any form of `connect` arguments; Node passes its own calls on as one array. */
const targetOf = (args: ReadonlyArray<unknown>): string => {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args
  if (typeof first === "object" && first !== null) return first.path ?? `${first.host ?? "localhost"}:${first.port}`
  return typeof first === "string" && Number.isNaN(Number(first))
    ? first
    : `${typeof second === "string" ? second : "localhost"}:${first}`
}
