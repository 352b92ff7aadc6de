/** Who is connected to the event socket: how many each has open, and who listens for which tenant. */
import type { Connection } from "./Connection.ts"

const nobody: ReadonlySet<Connection> = new Set()

export class Roster {
  /** Everybody, whether they have said who they are or not. */
  readonly all: ReadonlySet<Connection>
  /** Those who listen and see every tenant. */
  readonly platform: ReadonlySet<Connection>
  /** Connections that have not said who they are. */
  unknown = 0
  readonly #all = new Set<Connection>()
  readonly #owners = new Map<string, number>()
  readonly #tenants = new Map<number, Set<Connection>>()
  readonly #platform = new Set<Connection>()

  constructor() {
    this.all = this.#all
    this.platform = this.#platform
  }

  /** How many listen. */
  get listening(): number {
    return Array.from(this.#tenants.values()).reduce((sum, { size }) => sum + size, this.#platform.size)
  }

  /** Connections of one owner. */
  openOf(owner: string): number {
    return this.#owners.get(owner) ?? 0
  }

  /** Those of a tenant who listen. */
  ofTenant(tenantId: number): ReadonlySet<Connection> {
    return this.#tenants.get(tenantId) ?? nobody
  }

  add(connection: Connection): void {
    this.#all.add(connection)
    this.#count(connection.owner, 1)
  }

  /** It has said who it is; answers how many its owner has open now. */
  identify(connection: Connection, audience: NonNullable<Connection["audience"]> | null): number {
    this.#count(connection.owner, -1)
    connection.audience = audience
    return this.#count(connection.owner, 1)
  }

  /** From now on it is told what happens. */
  listen(connection: Connection): void {
    const { audience } = connection
    if (audience === null || audience === undefined) return void this.#platform.add(connection)
    const group = this.#tenants.get(audience.tenantId) ?? new Set()
    this.#tenants.set(audience.tenantId, group)
    group.add(connection)
  }

  /** Answers whether it was there. */
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
