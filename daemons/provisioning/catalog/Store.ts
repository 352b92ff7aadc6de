/**
 * Tables of the catalog. They belong to no tenant, so only the platform role may access them. The lists (`services`,
 * `packages`, `mappings`) switch to this role themselves and can be read in a tenant's transaction. All other functions
 * need a transaction of the platform role.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { asPlatform } from "#core/sql/Sql.ts"
import type { Template } from "./Templates.ts"

export interface Service {
  readonly slug: string
  readonly name_i18n: Readonly<Record<string, string>>
  readonly description_i18n: Readonly<Record<string, string>>
  readonly icon: string
  readonly config_template: Template
  readonly feature_slug: string
  readonly is_base: boolean
  readonly position: number
  readonly updated_at: Date
}

export interface Package {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly type: string
}

export interface Mapping {
  readonly id: number
  readonly service: string
  readonly module_slug: string | null
  readonly package_type: string | null
  readonly package_id: number | null
}

/** All services, sorted by `position`. */
export const services = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  asPlatform(
    sql<Service>`select slug, name_i18n, description_i18n, icon, config_template, feature_slug, is_base, position,
      updated_at from provisioning.service order by position, slug`
  )
)

export const service = Effect.fnUntraced(function* (slug: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Service>`select slug, name_i18n, description_i18n, icon, config_template, feature_slug,
      is_base, position, updated_at from provisioning.service where slug = ${slug}`
  return row
})

/** Inserts a service and returns it; undefined when the slug is taken. */
export const addService = Effect.fnUntraced(function* (made: Omit<Service, "updated_at">) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const [row] = yield* sql`insert into provisioning.service
      (slug, name_i18n, description_i18n, icon, config_template, feature_slug, is_base, position)
    values (${made.slug}, ${pg.json(made.name_i18n)}, ${pg.json(made.description_i18n)}, ${made.icon},
      ${pg.json(made.config_template)}, ${made.feature_slug}, ${made.is_base}, ${made.position})
    on conflict do nothing returning 1`
  return row === undefined ? undefined : yield* service(made.slug)
})

/** Overwrites all fields of the service with the slug `to.slug`. Changes nothing when there is no such service. */
export const setService = Effect.fnUntraced(function* (to: Omit<Service, "updated_at">) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  yield* sql`update provisioning.service set name_i18n = ${pg.json(to.name_i18n)},
      description_i18n = ${pg.json(to.description_i18n)}, icon = ${to.icon},
      config_template = ${pg.json(to.config_template)}, feature_slug = ${to.feature_slug}, is_base = ${to.is_base},
      position = ${to.position}, updated_at = now() where slug = ${to.slug}`
})

export const removeService = (slug: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`delete from provisioning.service where slug = ${slug}`)

export const packages = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  asPlatform(sql<Package>`select id, slug, name, type from provisioning.package order by slug`)
)

/** Inserts a package and returns it; undefined when the slug is taken. */
export const addPackage = Effect.fnUntraced(function* ({ name, slug, type }: Omit<Package, "id">) {
  const sql = yield* SqlClient.SqlClient
  const [row] =
    yield* sql<Package>`insert into provisioning.package (slug, name, type) values (${slug}, ${name}, ${type})
    on conflict do nothing returning id, slug, name, type`
  return row
})

/** Deletes the package; false when there is none. */
export const removePackage = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const gone = yield* sql`delete from provisioning.package where id = ${id} returning 1`
  return gone.length > 0
})

/** Whether a subscription or a mapping names the package. */
export const isPackageUsed = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`select 1 from provisioning.subscription where package_id = ${id}
    union all select 1 from provisioning.mapping where package_id = ${id} limit 1`
  return found.length > 0
})

export const mappings = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  asPlatform(
    sql<Mapping>`select id, service, module_slug, package_type, package_id
      from provisioning.mapping order by service, id`
  )
)

/** Inserts a mapping and returns it; undefined when an equal one exists. */
export const addMapping = Effect.fnUntraced(function* (made: Omit<Mapping, "id">) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Mapping>`insert into provisioning.mapping (service, module_slug, package_type, package_id)
    values (${made.service}, ${made.module_slug}, ${made.package_type}, ${made.package_id})
    on conflict do nothing returning id, service, module_slug, package_type, package_id`
  return row
})

/** Deletes the mapping; false when there is none. */
export const removeMapping = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const gone = yield* sql`delete from provisioning.mapping where id = ${id} returning 1`
  return gone.length > 0
})
