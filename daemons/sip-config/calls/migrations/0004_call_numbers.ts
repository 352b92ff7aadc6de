import type { Migration } from "#core/sql/Migrations.ts"

const columns = ["caller_id", "did_number", "destination"] as const

/**
 * Calls are found by the last ten digits of either side. Columns of their own: an index on an expression is not used
 * under row-level security.
 */
export const callNumbers: Migration = {
  id: 4,
  name: "numbers of calls",
  statements: [
    `alter table sip_config.call ${columns
      .map(
        (column) =>
          `add column ${column}_tail text generated always as (right(regexp_replace(${column}, '\\D', '', 'g'), 10)) stored`
      )
      .join(", ")}`,
    ...[...columns.map((column) => `${column}_tail`), "extension"].map(
      (column) => `create index call_${column} on sip_config.call (tenant_id, ${column}, seq desc)`
    )
  ]
}
