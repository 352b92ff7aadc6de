import type { Migration } from "#core/sql/Migrations.ts"

/** Decisions about transactions, and batches of decisions. */
export const reconciliation: Migration = {
  id: 4,
  name: "reconciliation",
  statements: [
    // One row for each decision; the newest one that is not undone is in force. before: status, suggestion and reason
    // of the transaction before it, which undo restores. reasons: why the invoices were chosen. invoices: those that
    // the decision settled; after an undo, no batch matches the transaction with them again. returns: payment that the
    // transaction took back.
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
       returns uuid references bank_fetcher.payment (id),
       invoices uuid[] not null default '{}',
       note text,
       before jsonb not null,
       decided_by text not null,
       decided_at timestamptz not null default now(),
       undone_by text,
       undone_at timestamptz
     )`,
    `create index decision_transaction on bank_fetcher.decision (transaction_id, seq desc)`,
    // total: transactions to decide. position: seq of the last transaction that the batch decided about. One batch of a
    // tenant runs at a time, and at most one waits.
    `create table bank_fetcher.batch (
       id uuid primary key default gen_random_uuid(),
       seq int generated always as identity unique,
       tenant_id int not null,
       state text not null default 'waiting' check (state in ('waiting', 'running', 'finished', 'failed')),
       total int,
       done int not null default 0,
       auto_matched int not null default 0,
       suggested int not null default 0,
       ignored int not null default 0,
       unmatched int not null default 0,
       position bigint not null default 0,
       problem text,
       requested_by text not null,
       created_at timestamptz not null default now(),
       finished_at timestamptz
     )`,
    `create index batch_tenant on bank_fetcher.batch (tenant_id, seq desc)`,
    `create unique index batch_waiting on bank_fetcher.batch (tenant_id) where state = 'waiting'`,
    // Transactions that a run reads, and those that a return is looked up in.
    `create index transaction_undecided on bank_fetcher.transaction (tenant_id, seq)
       where current and status = 'booked' and reconciliation_status in ('unmatched', 'suggested')`,
    `create index transaction_end_to_end on bank_fetcher.transaction (tenant_id, end_to_end_id)
       where end_to_end_id is not null`,
    `create index transaction_mandate on bank_fetcher.transaction (tenant_id, mandate_id) where mandate_id is not null`,
    `create index transaction_day on bank_fetcher.transaction (tenant_id, booked_on) where current`,
    `select core.protect('bank_fetcher.decision')`,
    `select core.protect('bank_fetcher.batch')`
  ]
}
