/** Rows of a tenant in all tables with a tenant_id, and the values in them. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { tables } from "#support/walk/Rows.ts"

const schemas = [
  "alarm_bridge",
  "comm_dispatcher",
  "core",
  "dns_verifier",
  "edge_auth",
  "bank_fetcher",
  "watchdog",
  "gateway",
  "identity",
  "localization",
  "mail_admin",
  "mail_watcher",
  "provisioning",
  "sip_config",
  "status_checker",
  "wake_word"
]

/** Rows that somebody else may cause, with the reason. */
const excepted: Readonly<Record<string, string>> = {
  // The owner learns of refused attempts at its accounts.
  "core.audit": "action not like 'refused.%'"
}

export type TenantRows = ReadonlyMap<string, ReadonlyArray<Readonly<Record<string, unknown>>>>

/** A query for each table with a tenant_id, joined to one statement. `what`: an aggregate over the rows `t`. */
const perTable = Effect.fnUntraced(function* <A>(sql: PgClient.PgClient, tenant: number, what: string) {
  const owned = (yield* tables(sql, schemas)).filter((table) => table.tenant)
  const found = yield* sql.unsafe<{ name: string; found: A | null }>(
    owned
      .map(
        ({ name }) =>
          `select '${name}' as name, (select ${what} from ${name} t where tenant_id = ${tenant} and (${excepted[name] ?? "true"})) as found`
      )
      .join(" union all ")
  )
  return new Map(found.map(({ found: value, name }) => [name, value]))
})

/** All rows of the tenant, by table. */
export const rowsOf = (sql: PgClient.PgClient, tenant: number) =>
  Effect.map(
    perTable<TenantRows extends ReadonlyMap<string, infer Rows> ? Rows : never>(
      sql,
      tenant,
      "jsonb_agg(to_jsonb(t) order by t::text)"
    ),
    (found): TenantRows => new Map([...found].map(([name, rows]) => [name, rows ?? []]))
  )

/** A text that changes with any row of the tenant. */
export const fingerprintOf = (sql: PgClient.PgClient, tenant: number) =>
  Effect.map(perTable<string>(sql, tenant, "sum(hashtextextended(t::text, 0))::text"), (found) =>
    JSON.stringify([...found])
  )

/** Changes between two readings, one line for each table. */
export const differences = (before: TenantRows, after: TenantRows): ReadonlyArray<string> =>
  [...after].flatMap(([name, rows]) => {
    const [was, is] = [before.get(name) ?? [], rows].map((all) => new Set(all.map((row) => JSON.stringify(row))))
    const gone = [...was!].filter((row) => !is!.has(row))
    const come = [...is!].filter((row) => !was!.has(row))
    return gone.length + come.length === 0
      ? []
      : [`${name}: ${gone.join(", ").slice(0, 600) || "nothing"} became ${come.join(", ").slice(0, 600) || "nothing"}`]
  })

/** Values of a tenant, for requests. */
export interface Values {
  /** Ids in the tables of a schema: numbers, and texts such as UUIDs. */
  readonly ids: (schema: string) => ReadonlyArray<string | number>
  /** Ids in each table of a schema. Keyed by the name of the table, without that of the schema. */
  readonly idsByTable: (schema: string) => ReadonlyMap<string, ReadonlyArray<string | number>>
  /** Values that a field or parameter of this name can have. Those from the tables of the schema come first. */
  readonly named: (name: string, schema?: string) => ReadonlyArray<string | number>
  /** All own ids that are large enough to be recognised in an answer, and the tenant's. */
  readonly recognisable: ReadonlySet<string>
}

/** Names of fields with the tables whose ids they hold, when the table has another name. */
const tablesOf: Readonly<Record<string, string>> = { user: "account", destination: "extension" }
/** Names of fields with the columns of the same values. */
const columnsOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  email: ["email", "address"],
  emailaddress: ["address"],
  login: ["email", "address"],
  to: ["email", "number"],
  from: ["address", "extension"],
  extensions: ["extension"],
  phone: ["phone"],
  phones: ["phone"],
  destination: ["address"],
  target: ["caller_id"],
  uuid: ["uuid"]
}

export const valuesOf = (rows: TenantRows, tenant: number): Values => {
  const all = [...rows].filter(([name]) => name !== "core.event" && name !== "core.audit")
  const isValue = (value: unknown): value is string | number =>
    (typeof value === "string" && value !== "") || typeof value === "number"
  const unique = (values: ReadonlyArray<unknown>) => [...new Set(values.filter(isValue))]
  const column = (name: string, schema: string | undefined) => {
    const isIn = ([table]: (typeof all)[number]) => Number(table.startsWith(`${schema}.`))
    return unique(all.toSorted((x, y) => isIn(y) - isIn(x)).flatMap(([, found]) => found.map((row) => row[name])))
  }
  const idsOfTable = (name: string) =>
    unique(all.flatMap(([table, found]) => (table.endsWith(`.${name}`) ? found.map((row) => row["id"]) : [])))
  const idsByTable = (schema: string) =>
    new Map(
      all.flatMap(([name, found]) =>
        name.startsWith(`${schema}.`)
          ? [[name.slice(schema.length + 1), unique(found.flatMap((row) => [row["id"], row["uuid"]]))] as const]
          : []
      )
    )
  return {
    ids: (schema) => unique([...idsByTable(schema).values()].flat()),
    idsByTable,
    named: (name, schema) => {
      if (name === "tenant_id") return [tenant]
      if (name === "account") {
        const accounts = rows.get("mail_watcher.account") ?? []
        // Signatures and contacts belong to the foreign account.
        const ordered = accounts.toSorted((x, y) => String(x["kind"]).localeCompare(String(y["kind"])))
        return unique(ordered.map((row) => row["address"]))
      }
      if (name === "bank_account") return unique((rows.get("bank_fetcher.account") ?? []).map((row) => row["id"]))
      if (name === "sip_domain") return unique((rows.get("sip_config.sip_domain") ?? []).map((row) => row["domain"]))
      if (name === "gateway") return idsOfTable("trunk").map((id) => `trunk_${id}`)
      // Many tables have names; only that of a model is in a path.
      if (name === "name")
        return unique([
          ...column(name, schema).slice(0, 3),
          ...(rows.get("wake_word.model") ?? []).map((row) => row[name])
        ])
      if (!name.endsWith("_id"))
        return unique((columnsOf[name] ?? [name]).flatMap((one) => column(one, schema))).slice(0, 3)
      const thing = name.slice(0, -3)
      return unique([...idsOfTable(tablesOf[thing] ?? thing), ...column(name, schema)]).slice(0, 3)
    },
    recognisable: new Set(
      [tenant, ...[...rows].flatMap(([, found]) => found.map((row) => row["id"]))].flatMap((id) =>
        (typeof id === "number" && id > 1_000_000) || (typeof id === "string" && id.length >= 32) ? [String(id)] : []
      )
    )
  }
}
