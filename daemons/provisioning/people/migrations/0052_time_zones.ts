import type { Migration } from "#core/sql/Migrations.ts"

/** Time zone of a user's account; null: the account has none. */
export const timeZones: Migration = {
  id: 52,
  name: "time zones of users",
  additive: true,
  statements: ["alter table provisioning.known_user add column time_zone text"]
}
