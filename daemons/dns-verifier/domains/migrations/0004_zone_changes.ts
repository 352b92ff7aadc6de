import type { Migration } from "#core/sql/Migrations.ts"

/** Changes of desired records that wait for a plan, and plans that apply themselves. */
export const zoneChanges: Migration = {
  id: 4,
  name: "zone changes and automatic plans",
  statements: [
    // requested: number of changes of the desired records so far. attempted, planned: up to which of them planning was
    // tried, and was done. plan_id: the resulting plan; null: the zone needed no change. reason, problem, retry_at: why
    // the last attempt made no plan, and when it is repeated; retry_at null: it is not repeated.
    `create table dns_verifier.zone_change (
       domain_id int primary key references dns_verifier.domain (id) on delete cascade,
       tenant_id int not null,
       requested int not null default 1,
       attempted int not null default 0,
       planned int not null default 0,
       plan_id uuid references dns_verifier.plan (id) on delete set null,
       reason text,
       problem text,
       retry_at timestamptz
     )`,
    // apply_after: when the plan applies itself; null: only on request.
    `alter table dns_verifier.plan add column apply_after timestamptz`,
    `select core.protect('dns_verifier.zone_change')`
  ]
}
