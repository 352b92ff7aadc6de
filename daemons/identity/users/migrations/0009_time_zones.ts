import type { Migration } from "#core/sql/Migrations.ts"

/** Time zone of an account. Null: times are shown in the zone of the reader's device, and in UTC in messages. */
export const timeZones: Migration = {
  id: 9,
  name: "time zones of accounts",
  additive: true,
  statements: ["alter table identity.account add column time_zone text"]
}
