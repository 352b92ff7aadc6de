import type { Migration } from "#core/sql/Migrations.ts"

/** Time at which an administrator deleted a user. */
export const removedUsers: Migration = {
  id: 4,
  name: "deleted users",
  // The version before shows a deleted user as a blocked one without a password.
  additive: true,
  // The row stays without address, name and secrets while sessions refer to it, so that projections read their end.
  statements: ["alter table edge_auth.users add removed_at timestamptz"]
}
