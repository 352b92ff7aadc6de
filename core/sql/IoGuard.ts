/**
 * Proves in tests that no network or file I/O happens while a transaction is open: an open one holds back the event
 * horizon of the whole fleet, so it may be as long as its statements and not as long as somebody's answer.
 *
 * `install` wraps node's entry points. A call made synchronously by a fiber that stands inside a transaction throws
 * `IoInTransaction`, and is remembered, because the code around it may turn a throw into an error of its own. What an
 * async function does after its first `await` is not seen. It is never installed in production.
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

/** Thrown into the fiber; names what was attempted. */
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

/** What was attempted since the last call; a test fails when there is anything. */
export const takeViolations = (): ReadonlyArray<IoInTransaction> => {
  const taken = violations
  violations = []
  return taken
}

/** Lets connections to a Postgres on TCP pass; unix sockets are recognised by their name. */
export const admitPostgres = (host: string, port: number): void => void admitted.add(`${host}:${port}`)

/** Whether the fiber that is running now stands inside a transaction. */
export const insideTransaction = (): boolean => {
  const context = Fiber.getCurrent()?.context
  if (context === undefined) return false
  for (const key of context.mapUnsafe.keys()) if (key.startsWith(transactionKey)) return true
  return false
}

/** Wraps node's entry points, once a process. */
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
  // Modules that imported a function by name see the wrapped one from here on.
  syncBuiltinESMExports()
}

const check = (attempt: string): void => {
  if (!insideTransaction() || isModuleLoading()) return
  const violation = new IoInTransaction(attempt)
  violations.push(violation)
  throw violation
}

/** A lazily loaded module is read once in a process's life; that is node's work, not the transaction's. */
const isModuleLoading = (): boolean => {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 40
  const stack = new Error().stack ?? ""
  Error.stackTraceLimit = limit
  return stack.includes("node:internal/modules/")
}

/** Everything of `fs` that is a plain function, but for what asks nothing of a disk. */
const isFileCall = (name: string): boolean =>
  /^[a-z]/.test(name) && !["toUnixTimestamp", "toNamespacedPath", "close", "closeSync"].includes(name)

/** Standard output and error: logging is allowed everywhere. */
const isLogging = (attempt: string, first: unknown): boolean =>
  attempt.startsWith("fs.write") && (first === 1 || first === 2)

const guardAll = (owner: object, prefix: string, guarded: (name: string) => boolean): void => {
  for (const name of Object.getOwnPropertyNames(owner)) {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name)
    // A getter loads something lazily (a deprecated alias, a whole module); nothing that is called does.
    if (descriptor === undefined || !("value" in descriptor)) continue
    const original: unknown = descriptor.value
    if (typeof original !== "function" || !guarded(name) || descriptor.configurable === false) continue
    const attempt = `${prefix}.${name}`
    const wrapped = function (this: unknown, ...args: ReadonlyArray<unknown>): unknown {
      if (!isLogging(attempt, args[0])) check(attempt)
      return Reflect.apply(original, this, args)
    }
    // What hangs on the function (realpathSync.native, util.promisify.custom) stays reachable.
    Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original))
    Object.defineProperty(owner, name, {
      value: wrapped,
      writable: true,
      configurable: true,
      enumerable: descriptor.enumerable ?? true
    })
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
  // A TLS socket wraps the plain one it was begun on.
  const under = (socket as { readonly _parent?: net.Socket | null })._parent
  return (
    ofPostgres.has(socket) ||
    (under !== undefined && under !== null && ofPostgres.has(under)) ||
    socket === (process.stdout as unknown) ||
    socket === (process.stderr as unknown)
  )
}

/** `host:port` or a path, from any of the forms `connect` takes (node hands its own calls on as one array). */
const targetOf = (args: ReadonlyArray<unknown>): string => {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args
  if (typeof first === "object" && first !== null) return first.path ?? `${first.host ?? "localhost"}:${first.port}`
  return typeof first === "string" && Number.isNaN(Number(first))
    ? first
    : `${typeof second === "string" ? second : "localhost"}:${first}`
}
