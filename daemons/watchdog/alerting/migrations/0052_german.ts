import type { Migration } from "#core/sql/Migrations.ts"

/** German texts of alerts. Null: the English text. */
export const german: Migration = {
  id: 52,
  name: "alerts in German",
  statements: [`alter table watchdog.alert add column summary_de text, add column detail_de text`]
}
