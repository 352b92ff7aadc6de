import type { Migration } from "#core/sql/Migrations.ts"

/** Creates the tables of customers, imports and calls. */
export const customers: Migration = {
  id: 2,
  name: "customers and calls",
  statements: [
    `create sequence sip_config.customer_version as int`,
    `create table sip_config.customer (
       id int generated always as identity primary key,
       tenant_id int not null,
       number text not null,
       name text not null,
       locale text not null,
       email text,
       version int not null default nextval('sip_config.customer_version'),
       created_at timestamptz not null default now(),
       updated_at timestamptz not null default now(),
       unique (tenant_id, number)
     )`,
    `create index customer_tenant on sip_config.customer (tenant_id, id desc)`,
    // tail: the last ten digits, by which callers are looked up (interface document 1 §6).
    `create table sip_config.customer_phone (
       id int generated always as identity primary key,
       tenant_id int not null,
       customer_id int not null references sip_config.customer (id) on delete cascade,
       phone text not null,
       tail text not null,
       unique (customer_id, phone)
     )`,
    `create index customer_phone_tail on sip_config.customer_phone (tenant_id, tail, customer_id)`,
    // body: the CSV file; null when the import has finished.
    `create table sip_config.customer_import (
       id int generated always as identity primary key,
       tenant_id int not null,
       actor text not null,
       address text,
       body text,
       state text not null default 'waiting' check (state in ('waiting', 'running', 'finished')),
       rows_total int,
       rows_done int not null default 0,
       created int not null default 0,
       changed int not null default 0,
       unchanged int not null default 0,
       failed int not null default 0,
       errors jsonb not null default '[]',
       created_at timestamptz not null default now(),
       finished_at timestamptz
     )`,
    `create index customer_import_tenant on sip_config.customer_import (tenant_id, id desc)`,
    `create table sip_config.call (
       id uuid primary key,
       seq bigint generated always as identity unique,
       tenant_id int not null,
       direction text not null check (direction in ('inbound', 'outbound', 'internal')),
       caller_id text not null,
       did_number text,
       destination text,
       extension text,
       customer_id int references sip_config.customer (id) on delete set null,
       state text not null check (state in ('ringing', 'answered', 'ended')),
       started_at timestamptz not null,
       answered_at timestamptz,
       ended_at timestamptz,
       cause text
     )`,
    `create index call_list on sip_config.call (tenant_id, seq desc)`,
    `create index call_open on sip_config.call (started_at) where state <> 'ended'`,
    `create index call_age on sip_config.call (started_at)`,
    `select core.protect('sip_config.customer')`,
    `select core.protect('sip_config.customer_phone')`,
    `select core.protect('sip_config.customer_import')`,
    `select core.protect('sip_config.call')`,
    `grant usage on sequence sip_config.customer_version to signalbox_tenant`
  ]
}
