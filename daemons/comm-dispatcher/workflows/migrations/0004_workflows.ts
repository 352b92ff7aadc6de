import type { Migration } from "#core/sql/Migrations.ts"

/** Ledger columns of event runs, and the digest table. */
export const workflows: Migration = {
  id: 4,
  name: "workflows",
  statements: [
    // `event`: a copy of the event that began the run, because the outbox is pruned earlier. Null for alarms and direct
    // requests.
    `alter table comm_dispatcher.run
       add column workflow text not null default 'alarm',
       add column event_id bigint,
       add column event jsonb,
       drop constraint run_state_check,
       add constraint run_state_check check (state in
         ('running', 'done', 'delivered', 'partly_delivered', 'failed', 'acknowledged', 'rejected', 'duplicate',
           'acknowledgement'))`,
    `create index run_workflow on comm_dispatcher.run (workflow, seq) where workflow <> 'alarm'`,
    // For counts over a time range.
    `create index run_created on comm_dispatcher.run (created_at)`,
    `create table comm_dispatcher.workflow_digest (
       tenant_id int not null,
       workflow text not null,
       key text not null,
       told_at timestamptz not null,
       waiting int not null default 0,
       primary key (tenant_id, workflow, key)
     )`,
    `select core.protect('comm_dispatcher.workflow_digest')`
  ]
}
