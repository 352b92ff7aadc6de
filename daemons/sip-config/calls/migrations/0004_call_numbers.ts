import type { Migration } from "#core/sql/Migrations.ts"

const columns = ["caller_id", "did_number", "destination"] as const

/**
 * Adds columns with the last ten digits of both numbers of a call, by which calls are searched. Generated columns are
 * needed because Postgres does not use an expression index under row-level security.
 */
export const callNumbers: Migration = {
  id: 4,
  name: "numbers of calls",
  statements: [
    `alter table sip_config.call ${columns
      .map(
        (column) =>
          `add column ${column}_tail text generated always
            as (right(regexp_replace(${column}, '\\D', '', 'g'), 10)) stored`
      )
      .join(", ")}`,
    ...[...columns.map((column) => `${column}_tail`), "extension"].map(
      (column) => `create index call_${column} on sip_config.call (tenant_id, ${column}, seq desc)`
    )
  ]
}
