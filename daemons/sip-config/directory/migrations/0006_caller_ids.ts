import type { Migration } from "#core/sql/Migrations.ts"

/** Publishes the caller ids of existing trunks for alarm calls. */
export const callerIds: Migration = {
  id: 6,
  name: "caller ids of trunks",
  statements: [
    `insert into core.gateway_caller_id (gateway, tenant_id, caller_id)
       select 'trunk_' || id, tenant_id, caller_id from sip_config.trunk where caller_id is not null`
  ]
}
