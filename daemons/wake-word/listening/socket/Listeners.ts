/**
 * The clients that listen in this process: gives their audio to the threads, their wakes to them, and every change of
 * the active model to all of them. No database and no handshake.
 */
import type { WebSocket } from "ws"
import type { Component } from "#core/daemon/Health.ts"
import type { ExtractorSource } from "../../engine/Exports.ts"
import type { ActiveModel, ActiveModels } from "../ActiveModels.ts"
import { InferenceThreads } from "../threads/InferenceThreads.ts"
import type { Bounds } from "./Bounds.ts"
import { closeSocket, Connection, type Owner } from "./Connection.ts"
import { Roster } from "./Roster.ts"

export interface Detected {
  readonly connection: Connection
  readonly model: ActiveModel
  readonly score: number
}

export interface ListenersOptions {
  readonly source: ExtractorSource
  readonly threads: number
  readonly bounds: Bounds
  readonly models: ActiveModels
  readonly detected: (detected: Detected) => void
  /** Writes a log line. */
  readonly note: (text: string) => void
}

export class Listeners {
  readonly roster = new Roster()
  readonly #options: ListenersOptions
  readonly #threads: InferenceThreads
  /** Models in use by key, also the ones that were replaced. */
  readonly #used = new Map<string, ActiveModel>()
  /** Models that cannot be loaded here, and why. */
  readonly #problems = new Map<string, string>()
  #streams = 0
  #stopped = false
  readonly #counts = { wakes: 0, late: 0, broken: 0 }

  constructor(options: ListenersOptions) {
    this.#options = options
    this.#threads = new InferenceThreads(options.source, options.threads, {
      room: (stream) => this.roster.of(stream)?.readOn(),
      wake: ({ key, score, stream }) => {
        const connection = this.roster.of(stream)
        const model = this.#used.get(key)
        if (connection === undefined || connection.closed || model === undefined) return
        this.#counts.wakes += 1
        connection.wake(score, model.word)
        options.detected({ connection, model, score })
      },
      broken: (streams, problem) => {
        if (streams.length > 0) options.note(`scores of ${streams.length} streams cannot be computed: ${problem}`)
        this.#counts.broken += streams.length
        for (const stream of streams) this.roster.of(stream)?.close("broken")
      },
      model: (key, problem) => {
        if (problem === undefined) {
          this.#problems.delete(key)
          return this.#switch(key)
        }
        options.note(`the model ${this.#used.get(key)?.name ?? key} cannot be loaded: ${problem}`)
        this.#problems.set(key, problem)
        for (const connection of this.roster.all)
          if (connection.model === key || this.#wanted(connection)?.key === key) connection.close("broken")
      }
    })
  }

  /** Why this model, or any model, cannot be used here; undefined: nothing is known against it. */
  problemOf(model: ActiveModel): string | undefined {
    return this.#threads.problem ?? this.#problems.get(model.key)
  }

  /** Prepares for connections that use the model. */
  warm(model: ActiveModel): void {
    if (!this.#stopped) this.#threads.warm(model)
  }

  /** Whether another connection finds a place. */
  hasRoom(tenant: number, opening: number): boolean {
    const { maxConnections, maxPerTenant } = this.#options.bounds
    return this.roster.size + opening < maxConnections && this.roster.ofTenant(tenant).size < maxPerTenant
  }

  /** Serves an open socket. `ended` is called when it is closed. */
  accept(socket: WebSocket, owner: Owner, model: ActiveModel, ended: () => void): void {
    if (this.#stopped) return closeSocket(socket, "goingAway")
    const stream = ++this.#streams
    const { bounds } = this.#options
    if (this.problemOf(model) !== undefined || !this.#threads.begin(stream, model)) return closeSocket(socket, "broken")
    this.#used.set(model.key, model)
    const connection: Connection = new Connection(
      socket,
      stream,
      owner,
      model.key,
      bounds,
      {
        audio: (bytes) => this.#threads.audio(stream, bytes),
        computed: () => this.#threads.computed(stream),
        ended: () => {
          this.roster.remove(connection)
          this.#threads.end(stream)
          ended()
        }
      },
      Date.now()
    )
    this.roster.add(connection)
    // The model may have changed while the connection opened.
    this.changed(owner.tenantId)
  }

  /** The active model of the tenant changed. */
  changed(tenant: number): void {
    const model = this.#options.models.held(tenant)
    const connections = this.roster.ofTenant(tenant)
    if (model === undefined) {
      for (const connection of connections) connection.close("noModel")
      return
    }
    if (connections.size === 0) return
    this.#used.set(model.key, model)
    if (this.#problems.has(model.key)) {
      for (const connection of connections) if (connection.model !== model.key) connection.close("broken")
      return
    }
    this.#threads.load(model)
    this.#switch(model.key)
  }

  /** Periodic check of all connections and threads. */
  look(now: number): void {
    for (const connection of this.roster.all) connection.look(now)
    const { models } = this.#options
    models.keepOnly(this.roster.tenants)
    const kept = models.keys
    this.#threads.tidy(kept, now)
    const used = new Set(Array.from(this.roster.all, ({ model }) => model))
    for (const key of this.#used.keys()) if (!kept.has(key) && !used.has(key)) this.#used.delete(key)
    for (const key of this.#problems.keys()) if (!kept.has(key) && !used.has(key)) this.#problems.delete(key)
  }

  async close(): Promise<void> {
    this.#stopped = true
    for (const connection of this.roster.all) connection.close("goingAway")
    await this.#threads.close()
  }

  component(): Component {
    const problem = this.#threads.problem ?? this.#problems.values().next().value
    return {
      status: problem === undefined ? "ok" : "degraded",
      ...(problem === undefined ? {} : { detail: problem }),
      connections: this.roster.size,
      threads: this.#threads.alive,
      ...this.#counts
    }
  }

  #wanted(connection: Connection): ActiveModel | undefined {
    return this.#options.models.held(connection.owner.tenantId)
  }

  /** Gives the model to the streams that wait for it and whose thread has loaded it. */
  #switch(key: string): void {
    for (const connection of this.roster.all) {
      if (connection.closed || connection.model === key || this.#wanted(connection)?.key !== key) continue
      if (!this.#threads.has(connection.stream, key)) continue
      connection.model = key
      this.#threads.use(connection.stream, key)
    }
  }
}
