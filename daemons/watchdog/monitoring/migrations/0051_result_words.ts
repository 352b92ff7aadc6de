import type { Migration } from "#core/sql/Migrations.ts"

/** Results of checks as a code with values, and in German. Filled by the next run of each check. */
export const resultWords: Migration = {
  id: 51,
  name: "results of checks as codes and in German",
  statements: [
    `alter table watchdog.monitoring_check
       add column detail_de text not null default '',
       add column code text,
       add column code_values jsonb not null default '{}'`
  ]
}
