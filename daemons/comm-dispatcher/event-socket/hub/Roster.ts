/** Connected clients: the number per owner, and the subscribers per tenant. */
import type { Connection } from "./Connection.ts"

const nobody: ReadonlySet<Connection> = new Set()

export class Roster {
  /** All connections, authenticated or not. */
  readonly all: ReadonlySet<Connection>
  /** Subscribers that see all tenants. */
  readonly platform: ReadonlySet<Connection>
  /** Number of unauthenticated connections. */
  unknown = 0
  readonly #all = new Set<Connection>()
  readonly #owners = new Map<string, number>()
  readonly #tenants = new Map<number, Set<Connection>>()
  readonly #platform = new Set<Connection>()

  constructor() {
    this.all = this.#all
    this.platform = this.#platform
  }

  /** Number of subscribers. */
  get listening(): number {
    return Array.from(this.#tenants.values()).reduce((sum, { size }) => sum + size, this.#platform.size)
  }

  /** Number of connections of an owner. */
  openOf(owner: string): number {
    return this.#owners.get(owner) ?? 0
  }

  /** Subscribers of a tenant. */
  ofTenant(tenantId: number): ReadonlySet<Connection> {
    return this.#tenants.get(tenantId) ?? nobody
  }

  add(connection: Connection): void {
    this.#all.add(connection)
    this.#count(connection.owner, 1)
  }

  /** Assigns the authenticated owner. Returns the number of the owner's connections. */
  identify(connection: Connection, audience: NonNullable<Connection["audience"]> | null): number {
    this.#count(connection.owner, -1)
    connection.audience = audience
    return this.#count(connection.owner, 1)
  }

  /** Adds a subscriber. */
  listen(connection: Connection): void {
    const { audience } = connection
    if (audience === null || audience === undefined) return void this.#platform.add(connection)
    const group = this.#tenants.get(audience.tenantId) ?? new Set()
    this.#tenants.set(audience.tenantId, group)
    group.add(connection)
  }

  /** Returns whether it was present. */
  remove(connection: Connection): boolean {
    if (!this.#all.delete(connection)) return false
    this.#count(connection.owner, -1)
    const { audience } = connection
    if (audience === null) this.#platform.delete(connection)
    else if (audience !== undefined) {
      const group = this.#tenants.get(audience.tenantId)
      group?.delete(connection)
      if (group?.size === 0) this.#tenants.delete(audience.tenantId)
    }
    return true
  }

  #count(owner: string, by: 1 | -1): number {
    if (owner.startsWith("address ")) this.unknown += by
    const open = this.openOf(owner) + by
    if (open === 0) this.#owners.delete(owner)
    else this.#owners.set(owner, open)
    return open
  }
}
