/** The open connections of one process, by stream and by tenant. */
import type { Connection } from "./Connection.ts"

export class Roster {
  readonly #byStream = new Map<number, Connection>()
  readonly #byTenant = new Map<number, Set<Connection>>()

  get size(): number {
    return this.#byStream.size
  }

  get all(): Iterable<Connection> {
    return this.#byStream.values()
  }

  get tenants(): ReadonlySet<number> {
    return new Set(this.#byTenant.keys())
  }

  of(stream: number): Connection | undefined {
    return this.#byStream.get(stream)
  }

  ofTenant(tenant: number): ReadonlySet<Connection> {
    return this.#byTenant.get(tenant) ?? new Set()
  }

  add(connection: Connection): void {
    this.#byStream.set(connection.stream, connection)
    const { tenantId } = connection.owner
    const others = this.#byTenant.get(tenantId) ?? new Set()
    this.#byTenant.set(tenantId, others.add(connection))
  }

  remove(connection: Connection): void {
    this.#byStream.delete(connection.stream)
    const { tenantId } = connection.owner
    const others = this.#byTenant.get(tenantId)
    others?.delete(connection)
    if (others?.size === 0) this.#byTenant.delete(tenantId)
  }
}
