import type { Migration } from "#core/sql/Migrations.ts"

/**
 * Refuses to delete or change files before the end of their retention, also for the owner of the tables. Only the
 * outcome of the reading changes, and the retention may become longer. Source: interface document 2 §8.
 */
const retention = [
  `create function bank_fetcher.keep_file() returns trigger language plpgsql as $$
     begin
       if old.state = 'receiving' or old.keep_until <= current_date then
         return case when tg_op = 'DELETE' then old else new end;
       end if;
       if tg_op = 'UPDATE' and new.keep_until >= old.keep_until and new.state not in ('receiving', 'removed')
          and (new.id, new.tenant_id, new.account_id, new.source, new.order_type, new.name, new.sha256, new.size,
               new.chunks, new.received_at)
            is not distinct from (old.id, old.tenant_id, old.account_id, old.source, old.order_type, old.name,
               old.sha256, old.size, old.chunks, old.received_at) then
         return new;
       end if;
       raise exception 'the file % is kept until %', old.id, old.keep_until using errcode = 'restrict_violation';
     end $$`,
  `create trigger keep before update or delete on bank_fetcher.raw_file
     for each row execute function bank_fetcher.keep_file()`,
  `create function bank_fetcher.keep_chunk() returns trigger language plpgsql as $$
     declare
       kept date;
     begin
       select keep_until into kept from bank_fetcher.raw_file
         where id = old.file_id and state <> 'receiving' and keep_until > current_date;
       if kept is not null then
         raise exception 'the file % is kept until %', old.file_id, kept using errcode = 'restrict_violation';
       end if;
       return case when tg_op = 'DELETE' then old else new end;
     end $$`,
  `create trigger keep before update or delete on bank_fetcher.raw_chunk
     for each row execute function bank_fetcher.keep_chunk()`,
  `create function bank_fetcher.keep_all() returns trigger language plpgsql as $$
     begin
       raise exception 'files of banks are kept' using errcode = 'restrict_violation';
     end $$`,
  `create trigger keep_all before truncate on bank_fetcher.raw_file
     for each statement execute function bank_fetcher.keep_all()`,
  `create trigger keep_all before truncate on bank_fetcher.raw_chunk
     for each statement execute function bank_fetcher.keep_all()`
]

/** Files as fetched, and the statements and transactions that they contain. */
export const statements: Migration = {
  id: 2,
  name: "raw files, statements and transactions",
  statements: [
    // One file inside a ZIP file, or the whole file where there is no ZIP. account_id: of the connection that fetched
    // it; a file may contain statements of other accounts. sha256: hex; null while the file is received. size: bytes
    // before compression. keep_until: end of the retention; Postgres refuses to delete or change an earlier row.
    // known_statements: statements of the file that were stored before. removed_at: when the content was deleted.
    `create table bank_fetcher.raw_file (
       id uuid primary key default gen_random_uuid(),
       seq int generated always as identity unique,
       tenant_id int not null,
       account_id uuid references bank_fetcher.account (id),
       source text not null check (source in ('ebics', 'import')),
       order_type text,
       name text not null,
       sha256 text,
       size bigint not null,
       chunks int not null,
       state text not null default 'waiting' check (state in ('receiving', 'waiting', 'parsed', 'failed', 'removed')),
       problem text,
       problem_code text,
       statements int not null default 0,
       known_statements int not null default 0,
       received_at timestamptz not null default now(),
       parsed_at timestamptz,
       removed_at timestamptz,
       keep_until date not null default (now() + interval '10 years')::date,
       unique (tenant_id, sha256)
     )`,
    `create index raw_file_tenant on bank_fetcher.raw_file (tenant_id, seq desc)`,
    `create index raw_file_retention on bank_fetcher.raw_file (keep_until) where state <> 'removed'`,
    `create index raw_file_receiving on bank_fetcher.raw_file (received_at) where state = 'receiving'`,
    // data: compressed part of the file, in order of position.
    `create table bank_fetcher.raw_chunk (
       file_id uuid not null references bank_fetcher.raw_file (id) on delete cascade,
       position int not null,
       tenant_id int not null,
       data bytea not null,
       primary key (file_id, position)
     )`,
    // The data is compressed already.
    `alter table bank_fetcher.raw_chunk alter column data set storage external`,
    ...retention,
    // Rows of a file that is being read, until all of them become transactions in one transaction. statement: position
    // of the statement in the file. rows: JSON.
    `create table bank_fetcher.parsed_rows (
       file_id uuid not null references bank_fetcher.raw_file (id) on delete cascade,
       reading uuid not null,
       position int not null,
       tenant_id int not null,
       statement int not null,
       rows jsonb not null,
       primary key (file_id, reading, position)
     )`,
    // bank_id, number, page: as the bank counts. opening, closing: minor units. state: a replaced statement's
    // transactions no longer count. findings: what people should look at, such as a gap in the numbers.
    // iban: or another identification of the account. fingerprint: hash of the transactions.
    `create table bank_fetcher.statement (
       id uuid primary key default gen_random_uuid(),
       seq int generated always as identity unique,
       tenant_id int not null,
       account_id uuid references bank_fetcher.account (id),
       file_id uuid not null references bank_fetcher.raw_file (id),
       position int not null,
       kind text not null check (kind in ('end_of_day', 'intraday')),
       format text not null,
       bank_id text not null,
       number int,
       page int,
       iban text,
       currency text,
       from_date date,
       to_date date,
       opening bigint,
       opening_on date,
       closing bigint,
       closing_on date,
       transactions int not null default 0,
       state text not null default 'current' check (state in ('current', 'replaced')),
       replaced_by uuid references bank_fetcher.statement (id),
       findings jsonb not null default '[]',
       fingerprint text,
       bank_created_at text,
       imported_at timestamptz not null default now(),
       unique (file_id, position)
     )`,
    `create index statement_tenant on bank_fetcher.statement (tenant_id, seq desc)`,
    `create index statement_account on bank_fetcher.statement (account_id, to_date desc)`,
    `create index statement_iban on bank_fetcher.statement (tenant_id, iban, currency, kind, to_date)`,
    `create index statement_unknown on bank_fetcher.statement (tenant_id, iban) where account_id is null`,
    `create index statement_findings on bank_fetcher.statement (tenant_id, seq desc) where findings <> '[]'`,
    // amount: minor units; above 0 is money that came in. seq: order of the bookings. current: false when a later file
    // replaced the row; its match has moved to the replacing row. status: of the booking. reconciliation_status:
    // interface document 2 §2.6. matched: part of the amount that settles invoices. text: payment reference.
    `create table bank_fetcher.transaction (
       id uuid primary key default gen_random_uuid(),
       seq bigint generated always as identity unique,
       tenant_id int not null,
       account_id uuid references bank_fetcher.account (id),
       statement_id uuid not null references bank_fetcher.statement (id),
       position int not null,
       amount bigint not null,
       currency text not null,
       status text not null check (status in ('booked', 'pending', 'information')),
       booked_on date not null,
       value_on date,
       reversal boolean not null default false,
       text text not null default '',
       end_to_end_id text,
       creditor_reference text,
       mandate_id text,
       creditor_id text,
       bank_reference text,
       counter_name text,
       counter_iban text,
       counter_bic text,
       gvc text,
       code jsonb not null default '{}',
       purpose text,
       return_reason text,
       current boolean not null default true,
       replaced_by uuid references bank_fetcher.transaction (id),
       reconciliation_status text not null default 'unmatched' check (reconciliation_status in ('unmatched',
       'suggested', 'auto_matched', 'manual_matched', 'ignored', 'partial')),
       matched bigint not null default 0,
       suggestion jsonb,
       ignored_reason text,
       version int not null default 1,
       created_at timestamptz not null default now(),
       updated_at timestamptz not null default now(),
       unique (statement_id, position)
     )`,
    `create index transaction_tenant on bank_fetcher.transaction (tenant_id, seq desc) where current`,
    `create index transaction_account on bank_fetcher.transaction (account_id, booked_on desc) where current`,
    `create index transaction_account_seq on bank_fetcher.transaction (account_id, seq desc) where current`,
    `create index transaction_booked on bank_fetcher.transaction (tenant_id, booked_on) where current`,
    // Matched rows that were replaced by a statement without them.
    `create index transaction_vanished on bank_fetcher.transaction (account_id, booked_on)
       where not current and replaced_by is null
         and reconciliation_status in ('auto_matched', 'manual_matched', 'partial', 'ignored')`,
    `create index transaction_status on bank_fetcher.transaction (tenant_id, reconciliation_status, seq desc)
       where current`,
    // Wakes the upkeep, which gives statements to a new account.
    `create function bank_fetcher.announce_account() returns trigger language plpgsql as $$
       begin
         perform pg_notify('signalbox', 'bank accounts');
         return null;
       end $$`,
    `create trigger announce after insert or update of iban, active on bank_fetcher.account
       for each row execute function bank_fetcher.announce_account()`,
    `select core.protect('bank_fetcher.raw_file')`,
    `select core.protect('bank_fetcher.raw_chunk')`,
    `select core.protect('bank_fetcher.parsed_rows')`,
    `select core.protect('bank_fetcher.statement')`,
    `select core.protect('bank_fetcher.transaction')`
  ]
}
