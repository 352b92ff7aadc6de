import type { Migration } from "#core/sql/Migrations.ts"

/** Alerts, their messages, silences, rules and heartbeats. They belong to the provider: no tenant reads them. */
export const alerting: Migration = {
  id: 1,
  name: "alerts, messages, silences, heartbeats",
  statements: [
    // changes, recovering_since: of a flapping one. settled: nothing is left to tell.
    `create table watchdog.alert (
       id uuid primary key,
       seq int generated always as identity unique,
       key text not null,
       cause text not null,
       severity text not null check (severity in ('warning', 'critical')),
       summary text not null,
       detail text,
       opened_at timestamptz not null,
       closed_at timestamptz check (closed_at >= opened_at),
       close_reason text check (close_reason in ('recovered', 'removed')),
       flapping boolean not null default false,
       changes int not null default 0,
       recovering_since timestamptz,
       told_at timestamptz,
       last_told_at timestamptz,
       repeats int not null default 0,
       acknowledged_at timestamptz,
       acknowledged_by text,
       note text,
       settled boolean not null default false,
       check ((closed_at is null) = (close_reason is null))
     )`,
    `create unique index alert_open on watchdog.alert (key) where closed_at is null`,
    `create index alert_key on watchdog.alert (key, closed_at)`,
    `create index alert_unsettled on watchdog.alert (cause) where not settled`,
    `create index alert_closed on watchdog.alert (closed_at) where closed_at is not null`,
    // content: what the texts are composed of.
    `create table watchdog.alert_message (
       id uuid primary key,
       seq int generated always as identity unique,
       kind text not null check (kind in ('opened', 'flapping', 'repeated', 'recovered', 'test')),
       cause text not null,
       content jsonb not null,
       created_at timestamptz not null
     )`,
    `create index alert_message_age on watchdog.alert_message (created_at)`,
    // number: of the repeat, else 0. An alert has one message of each kind and number.
    `create table watchdog.alert_told (
       alert_id uuid not null references watchdog.alert (id) on delete cascade,
       message_id uuid not null references watchdog.alert_message (id) on delete cascade,
       kind text not null,
       number int not null,
       primary key (alert_id, kind, number)
     )`,
    `create index alert_told_message on watchdog.alert_told (message_id)`,
    // target: a chat, or empty. claimed_by: the process that sends it now.
    `create table watchdog.alert_delivery (
       message_id uuid not null references watchdog.alert_message (id) on delete cascade,
       way text not null check (way in ('mail', 'messenger', 'webhook', 'app', 'alarm')),
       target text not null default '',
       state text not null default 'pending' check (state in ('pending', 'sending', 'sent', 'uncertain', 'failed')),
       attempts int not null default 0,
       next_at timestamptz not null default now(),
       claimed_at timestamptz,
       claimed_by uuid,
       sent_at timestamptz,
       problem text,
       primary key (message_id, way, target)
     )`,
    `create index alert_delivery_open on watchdog.alert_delivery (next_at) where state in ('pending', 'sending')`,
    `create table watchdog.silence (
       id uuid primary key default gen_random_uuid(),
       seq int generated always as identity unique,
       key_pattern text,
       group_pattern text,
       reason text not null,
       starts_at timestamptz not null,
       ends_at timestamptz not null check (ends_at >= starts_at),
       created_by text not null,
       created_at timestamptz not null default now(),
       check (key_pattern is not null or group_pattern is not null)
     )`,
    `create index silence_end on watchdog.silence (ends_at)`,
    // One row once an operator has set rules.
    `create table watchdog.alert_rules (one boolean primary key default true check (one), rules jsonb not null)`,
    // The process that sends messages.
    `create table watchdog.alert_sender (one boolean primary key default true check (one), process uuid not null)`,
    `create table watchdog.heartbeat (
       name text primary key,
       last_at timestamptz not null,
       timeout_s int not null check (timeout_s > 0)
     )`,
    // Maintenance of the status page, as its events say.
    `create table watchdog.maintenance (
       id text primary key,
       components text[] not null,
       starts_at timestamptz not null,
       ends_at timestamptz not null
     )`
  ]
}
