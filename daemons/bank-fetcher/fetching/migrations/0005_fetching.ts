import type { Migration } from "#core/sql/Migrations.ts"

/** Fetches of statements: those that the schedule wanted, and those that a person asked for. */
export const fetching: Migration = {
  id: 5,
  name: "fetches",
  statements: [
    // firing: time of the schedule that it belongs to; null when a person asked. from_date, to_date: range; null: what
    // is new at the bank. orders: result of each order type. transaction: the EBICS transaction that is under way.
    `create table bank_fetcher.fetch (
       id uuid primary key default gen_random_uuid(),
       seq int generated always as identity unique,
       tenant_id int not null,
       account_id uuid not null references bank_fetcher.account (id) on delete cascade,
       reason text not null check (reason in ('daily', 'intraday', 'manual')),
       firing timestamptz,
       from_date date,
       to_date date,
       state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'empty', 'failed')),
       orders jsonb not null default '[]',
       attempts int not null default 0,
       problem text,
       requested_by text not null,
       created_at timestamptz not null default now(),
       finished_at timestamptz
     )`,
    `create unique index fetch_firing on bank_fetcher.fetch (account_id, reason, firing) where firing is not null`,
    `create index fetch_account on bank_fetcher.fetch (account_id, seq desc)`,
    // since: begin of the failures in a row, for backoff and for one event an outage.
    `create table bank_fetcher.fetch_state (
       account_id uuid primary key references bank_fetcher.account (id) on delete cascade,
       tenant_id int not null,
       failures int not null default 0,
       since timestamptz,
       retry_at timestamptz,
       last_success timestamptz,
       last_problem text
     )`,
    `select core.protect('bank_fetcher.fetch')`,
    `select core.protect('bank_fetcher.fetch_state')`
  ]
}
