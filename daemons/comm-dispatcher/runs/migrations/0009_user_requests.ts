import type { Migration } from "#core/sql/Migrations.ts"

/** Finds the runs that users of a tenant requested within the last hour. */
export const userRequests: Migration = {
  id: 9,
  name: "user requests",
  statements: [`create index run_user_request on comm_dispatcher.run (tenant_id, created_at) where source ? 'user_id'`]
}
