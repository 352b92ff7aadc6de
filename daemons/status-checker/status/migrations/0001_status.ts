import type { Migration } from "#core/sql/Migrations.ts"

const componentStatus = `('operational', 'degraded_performance', 'partial_outage', 'major_outage', 'under_maintenance')`
const incidentStatus = `('investigating', 'identified', 'monitoring', 'resolved')`

/** All tables of the status page. They belong to the provider: no tenant reads or writes them. */
export const status: Migration = {
  id: 1,
  name: "components, days, incidents, maintenance, subscribers and their mail",
  statements: [
    // status: after hysteresis. seen, streak: status that the last checks found instead, and their number. results: of
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
    // Current checker and the number of its last batch, which prevents a batch from being written twice.
    `create table status_checker.checker (
       one boolean primary key default true check (one),
       writer uuid not null,
       batch int not null
     )`,
    // Measured milliseconds by status and UTC day.
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
    // published_at is null for a draft. proposed_for: component that stayed down, for a proposed draft that nobody has
    // edited.
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
    // At most one draft per component.
    `create unique index incidents_proposed on status_checker.incidents (proposed_for) where published_at is null
      and proposed_for is not null`,
    `create table status_checker.incident_updates (
       incident_id text not null references status_checker.incidents (id) on delete cascade,
       "timestamp" timestamptz not null,
       status text not null check (status in ${incidentStatus}),
       message text not null,
       message_en text not null,
       primary key (incident_id, "timestamp")
     )`,
    // Components whose proposal was deleted; none is proposed again until the component is up.
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
    // components: null means all. refusals: consecutive mails that the relay refused for this address. unsubscribe:
    // SHA-256 of the token in every mail's link; unsubscribe_envelope: the sealed token.
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
    // token: SHA-256 of the token in the link. The requested choice takes effect with the confirmation.
    `create table status_checker.confirmations (
       token text primary key check (token ~ '^[0-9a-f]{64}$'),
       subscriber_id int not null references status_checker.subscribers (id) on delete cascade,
       lang text not null check (lang in ('de', 'en')),
       components text[],
       expires_at timestamptz not null,
       used_at timestamptz
     )`,
    `create index confirmations_subscriber on status_checker.confirmations (subscriber_id)`,
    // hash: of incident id and timestamp. silent: recorded without mails.
    `create table status_checker.notices (
       hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
       incident_id text not null,
       silent boolean not null,
       noticed_at timestamptz not null default now()
     )`,
    // ref: hash of the notice or of the confirmation token. content: text of the mail as of its creation. envelope:
    // sealed token of the link.
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
    // Confirmations are sent before notices, because a person waits for them.
    `create index mails_due on status_checker.mails (kind, next_at, id) where state = 'pending'`,
    `create index mails_attempting on status_checker.mails (id) where state = 'attempting'`,
    `create index mails_done on status_checker.mails (done_at) where done_at is not null`,
    // Subscription requests, counted by client and by address. client: IPv4 address or /64 of an IPv6 address; address:
    // its SHA-256. mailed: whether a mail was created.
    `create table status_checker.sign_ups (
       client text not null,
       address text not null check (address ~ '^[0-9a-f]{64}$'),
       mailed boolean not null,
       at timestamptz not null default now()
     )`,
    `create index sign_ups_client on status_checker.sign_ups (client, at)`,
    `create index sign_ups_address on status_checker.sign_ups (address, at)`,
    `create index sign_ups_age on status_checker.sign_ups (at)`,
    // source: variable of the imported file, or another one-time event. sha256: of the file. counts: rows by result.
    `create table status_checker.imports (source text primary key, at timestamptz not null default now(), sha256 text,
      counts jsonb not null default '{}')`
  ]
}
