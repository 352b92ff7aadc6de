import type { Migration } from "#core/sql/Migrations.ts"

/** Decisions about transactions, and batches of decisions. */
export const reconciliation: Migration = {
  id: 4,
  name: "reconciliation",
  statements: [
    // One row for each decision. before: status, suggestion and reason of the transaction before it, which undo
    // restores. reasons: why the invoices were chosen.
    `create table bank_fetcher.decision (
       id uuid primary key default gen_random_uuid(),
       seq int generated always as identity unique,
       tenant_id int not null,
       transaction_id uuid not null references bank_fetcher.transaction (id),
       kind text not null check (kind in ('auto', 'manual', 'ignored')),
       confidence int,
       strategies jsonb not null default '[]',
       reasons jsonb not null default '[]',
       payment_id uuid references bank_fetcher.payment (id),
       before jsonb not null,
       decided_by text not null,
       decided_at timestamptz not null default now(),
       undone_by text,
       undone_at timestamptz
     )`,
    `create index decision_transaction on bank_fetcher.decision (transaction_id, seq desc)`,
    // total: transactions to decide. A batch runs once at a time for a tenant.
    `create table bank_fetcher.batch (
       id uuid primary key default gen_random_uuid(),
       seq int generated always as identity unique,
       tenant_id int not null,
       state text not null default 'waiting' check (state in ('waiting', 'running', 'finished', 'failed')),
       total int,
       done int not null default 0,
       auto_matched int not null default 0,
       suggested int not null default 0,
       unmatched int not null default 0,
       problem text,
       requested_by text not null,
       created_at timestamptz not null default now(),
       finished_at timestamptz
     )`,
    `create index batch_tenant on bank_fetcher.batch (tenant_id, seq desc)`,
    `select core.protect('bank_fetcher.decision')`,
    `select core.protect('bank_fetcher.batch')`
  ]
}
