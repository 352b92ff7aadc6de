import type { Migration } from "#core/sql/Migrations.ts"

/** Fetches of statements: those that the schedule wanted, and those that a person asked for. */
export const fetching: Migration = {
  id: 5,
  name: "fetches",
  statements: [
    // firing: time of the schedule that it belongs to; null when a person asked. from_date, to_date: range; null: what
    // is new at the bank. order_types: what a person asked for; null: the usual ones. orders: progress and result of
    // each order type. job_id: the job that runs the fetch. retry_at: earliest next attempt.
    `create table bank_fetcher.fetch (
       id uuid primary key default gen_random_uuid(),
       seq int generated always as identity unique,
       tenant_id int not null,
       account_id uuid not null references bank_fetcher.account (id) on delete cascade,
       reason text not null check (reason in ('daily', 'intraday', 'manual')),
       firing timestamptz,
       from_date date,
       to_date date,
       order_types jsonb,
       state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'empty', 'failed')),
       orders jsonb not null default '[]',
       attempts int not null default 0,
       job_id uuid,
       retry_at timestamptz,
       problem text,
       requested_by text not null,
       created_at timestamptz not null default now(),
       finished_at timestamptz
     )`,
    `create unique index fetch_firing on bank_fetcher.fetch (account_id, reason, firing) where firing is not null`,
    `create index fetch_account on bank_fetcher.fetch (account_id, seq desc)`,
    `create index fetch_tenant on bank_fetcher.fetch (tenant_id, seq desc)`,
    `create index fetch_requested on bank_fetcher.fetch (tenant_id, created_at) where reason = 'manual'`,
    `create index fetch_open on bank_fetcher.fetch (account_id) where state in ('waiting', 'running')`,
    // since: begin of the failures in a row. announced: whether this outage has its event. locked_since: since when
    // fetches wait for the passphrase of the keys.
    `create table bank_fetcher.fetch_state (
       account_id uuid primary key references bank_fetcher.account (id) on delete cascade,
       tenant_id int not null,
       failures int not null default 0,
       since timestamptz,
       announced boolean not null default false,
       locked_since timestamptz,
       retry_at timestamptz,
       last_success timestamptz,
       last_problem text
     )`,
    // Wakes the schedules. A statement of any process and any feature changes accounts.
    `create function bank_fetcher.announce_accounts() returns trigger language plpgsql as $$
       begin
         perform pg_notify('signalbox', 'bank accounts');
         return null;
       end $$`,
    `create trigger account_announced after insert or update or delete on bank_fetcher.account
       for each statement execute function bank_fetcher.announce_accounts()`,
    `create trigger bank_key_announced after insert or update or delete on bank_fetcher.bank_key
       for each statement execute function bank_fetcher.announce_accounts()`,
    `select core.protect('bank_fetcher.fetch')`,
    `select core.protect('bank_fetcher.fetch_state')`
  ]
}
