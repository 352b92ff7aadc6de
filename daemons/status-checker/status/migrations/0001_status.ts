import type { Migration } from "#core/sql/Migrations.ts"

const componentStatus = `('operational', 'degraded_performance', 'partial_outage', 'major_outage', 'under_maintenance')`
const incidentStatus = `('investigating', 'identified', 'monitoring', 'resolved')`

/** What is measured, what is told, and who is told. All of it is the provider's own: no tenant reads or writes here. */
export const status: Migration = {
  id: 1,
  name: "components, days, incidents, maintenance, subscribers and their mail",
  statements: [
    // status: after hysteresis. seen, streak: what the last checks found instead, and how many in a row. results: of
    // the last check.
    `create table status_checker.component_state (
       component_id text primary key,
       status text not null check (status in ${componentStatus}),
       since timestamptz not null,
       checked_at timestamptz not null,
       seen text check (seen in ${componentStatus}),
       streak int not null default 0,
       results jsonb not null default '[]'
     )`,
    // Who writes what is measured, and the number of its last batch: one that was written is not written again.
    `create table status_checker.checker (
       one boolean primary key default true check (one),
       writer uuid not null,
       batch int not null
     )`,
    // Milliseconds measured as what, by day in UTC.
    `create table status_checker.component_day (
       component_id text not null,
       day date not null,
       operational bigint not null default 0,
       degraded_performance bigint not null default 0,
       partial_outage bigint not null default 0,
       major_outage bigint not null default 0,
       under_maintenance bigint not null default 0,
       primary key (component_id, day)
     )`,
    // published_at null: a draft. proposed_for: the component that stayed down; of a draft that nobody asked for and
    // nobody has touched.
    `create table status_checker.incidents (
       id text primary key,
       number int generated always as identity unique,
       title text not null,
       title_en text not null,
       status text not null check (status in ${incidentStatus}),
       severity text not null check (severity in ('minor', 'major', 'critical')),
       components text[] not null,
       proposed_for text,
       created_at timestamptz not null default now(),
       resolved_at timestamptz,
       published_at timestamptz,
       updated_at timestamptz not null default now()
     )`,
    `create index incidents_age on status_checker.incidents (created_at desc)`,
    // One draft for a component at a time.
    `create unique index incidents_proposed on status_checker.incidents (proposed_for) where published_at is null and proposed_for is not null`,
    `create table status_checker.incident_updates (
       incident_id text not null references status_checker.incidents (id) on delete cascade,
       "timestamp" timestamptz not null,
       status text not null check (status in ${incidentStatus}),
       message text not null,
       message_en text not null,
       primary key (incident_id, "timestamp")
     )`,
    // Somebody deleted what was proposed for this component: nothing is proposed again until it was up.
    `create table status_checker.dismissed (component_id text primary key, at timestamptz not null default now())`,
    `create table status_checker.maintenance (
       id text primary key,
       number int generated always as identity unique,
       title text not null,
       title_en text not null,
       message text not null default '',
       message_en text not null default '',
       components text[] not null,
       starts_at timestamptz not null,
       ends_at timestamptz not null check (ends_at > starts_at),
       created_at timestamptz not null default now(),
       updated_at timestamptz not null default now(),
       cancelled_at timestamptz
     )`,
    `create index maintenance_end on status_checker.maintenance (ends_at)`,
    // components null: all. refusals: mails in a row that the relay would not take for this address. unsubscribe:
    // SHA-256 of the token in every mail's link; unsubscribe_envelope: the token itself, sealed.
    `create table status_checker.subscribers (
       id int generated always as identity primary key,
       email text not null unique check (email = lower(email)),
       lang text not null check (lang in ('de', 'en')),
       components text[],
       status text not null check (status in ('pending', 'confirmed')),
       unsubscribe text not null unique check (unsubscribe ~ '^[0-9a-f]{64}$'),
       unsubscribe_envelope text not null,
       refusals int not null default 0,
       created_at timestamptz not null default now(),
       confirmed_at timestamptz
     )`,
    // token: SHA-256 of the one in the link. What is wished for holds once it is confirmed.
    `create table status_checker.confirmations (
       token text primary key check (token ~ '^[0-9a-f]{64}$'),
       subscriber_id int not null references status_checker.subscribers (id) on delete cascade,
       lang text not null check (lang in ('de', 'en')),
       components text[],
       expires_at timestamptz not null,
       used_at timestamptz
     )`,
    `create index confirmations_subscriber on status_checker.confirmations (subscriber_id)`,
    // hash: of incident id and timestamp. silent: there before anybody could be told.
    `create table status_checker.notices (
       hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
       incident_id text not null,
       silent boolean not null,
       noticed_at timestamptz not null default now()
     )`,
    // ref: the notice's hash, or the confirmation's token. content: what the mail says, as it was when it was decided.
    // envelope: the token in its link, sealed.
    `create table status_checker.mails (
       id bigint generated always as identity primary key,
       subscriber_id int not null references status_checker.subscribers (id) on delete cascade,
       kind text not null check (kind in ('confirm', 'notice')),
       ref text not null,
       message_id text not null unique,
       content jsonb not null default '{}',
       envelope text,
       state text not null default 'pending' check (state in ('pending', 'attempting', 'delivered', 'failed')),
       attempts int not null default 0,
       next_at timestamptz not null default now(),
       last_error text,
       created_at timestamptz not null default now(),
       done_at timestamptz,
       unique (subscriber_id, kind, ref)
     )`,
    // Confirmations come before notices: somebody waits for them.
    `create index mails_due on status_checker.mails (kind, next_at, id) where state = 'pending'`,
    `create index mails_attempting on status_checker.mails (id) where state = 'attempting'`,
    `create index mails_done on status_checker.mails (done_at) where done_at is not null`,
    // Wishes to subscribe, counted by client and by address. client: an IPv4 address or the /64 of an IPv6 address;
    // address: SHA-256 of it. mailed: whether a mail went.
    `create table status_checker.sign_ups (
       client text not null,
       address text not null check (address ~ '^[0-9a-f]{64}$'),
       mailed boolean not null,
       at timestamptz not null default now()
     )`,
    `create index sign_ups_client on status_checker.sign_ups (client, at)`,
    `create index sign_ups_address on status_checker.sign_ups (address, at)`,
    `create index sign_ups_age on status_checker.sign_ups (at)`,
    // source: the variable that named the file, or another thing that happens once. sha256: of the file. counts: what
    // came of it.
    `create table status_checker.imports (source text primary key, at timestamptz not null default now(), sha256 text, counts jsonb not null default '{}')`
  ]
}
