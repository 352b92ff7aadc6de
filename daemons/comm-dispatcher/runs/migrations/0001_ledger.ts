import type { Migration } from "#core/sql/Migrations.ts"

/** The ledger: one row per run, per target and per attempt. */
export const ledger: Migration = {
  id: 1,
  name: "ledger",
  statements: [
    `create table comm_dispatcher.run (
       id uuid primary key,
       seq bigint generated always as identity unique,
       trigger_key text not null unique,
       tenant_id int not null,
       event_type text not null,
       state text not null check (state in
         ('running', 'delivered', 'partly_delivered', 'failed', 'acknowledged', 'rejected', 'duplicate',
           'acknowledgement')),
       reason text,
       severity text,
       subject text not null,
       body text not null,
       sender text not null,
       mode text not null,
       retry jsonb,
       source jsonb not null,
       steps jsonb not null,
       malformed boolean not null default false,
       admit text,
       duplicate_key bytea,
       received_at timestamptz not null,
       created_at timestamptz not null default now(),
       finished_at timestamptz,
       acknowledged_at timestamptz,
       acknowledged_by text
     )`,
    `create index run_duplicate on comm_dispatcher.run (duplicate_key, created_at) where duplicate_key is not null`,
    `create index run_message on comm_dispatcher.run ((source->>'message_id')) where source ? 'message_id'`,
    `create index run_open on comm_dispatcher.run (created_at) where finished_at is null`,
    `create index run_finished on comm_dispatcher.run (finished_at) where finished_at is not null`,
    `create table comm_dispatcher.target (
       id bigint generated always as identity primary key,
       run_id uuid not null references comm_dispatcher.run on delete cascade,
       tenant_id int not null,
       position int not null,
       chain int not null,
       step int not null,
       has_fallback boolean not null default false,
       channel text not null,
       target text not null,
       options jsonb not null default '{}',
       state text not null check (state in ('pending', 'attempting', 'delivered', 'failed', 'uncertain', 'suppressed')),
       due_at timestamptz,
       record jsonb not null,
       idempotency_key uuid not null default gen_random_uuid(),
       updated_at timestamptz not null default now(),
       unique (run_id, position)
     )`,
    // Keyed by id: statements that begin targets look them up by id, and with another key the planner scans the index.
    `create index target_open on comm_dispatcher.target (id) where state in ('pending', 'attempting', 'uncertain')`,
    `create table comm_dispatcher.attempt (
       target_id bigint not null references comm_dispatcher.target on delete cascade,
       tenant_id int not null,
       number int not null,
       state text not null check (state in ('attempting', 'delivered', 'failed', 'uncertain', 'interrupted')),
       started_at timestamptz not null,
       finished_at timestamptz,
       detail text,
       primary key (target_id, number)
     )`,
    `select core.protect('comm_dispatcher.run')`,
    `select core.protect('comm_dispatcher.target')`,
    `select core.protect('comm_dispatcher.attempt')`
  ]
}
