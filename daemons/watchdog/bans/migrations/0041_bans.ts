import type { Migration } from "#core/sql/Migrations.ts"

/** Bans, exemptions and what happened. They concern the machines, so they have no tenant, and no tenant reads them. */
export const bans: Migration = {
  id: 41,
  name: "bans, exemptions and alerts",
  statements: [
    // key: the address of our own ban, because the newest event about an address counts; the id of CrowdSec's decision.
    // event_id: newest event read; null for CrowdSec. A lifted ban of our own stays for a while as an ended row, so
    // that an earlier event cannot restore it when it is read again.
    `create table watchdog.decision (
       id int generated always as identity primary key,
       source text not null check (source in ('own', 'crowdsec')),
       key text not null,
       origin text not null,
       rule text not null,
       address cidr not null,
       since timestamptz not null,
       until timestamptz not null,
       reason text,
       event_id bigint,
       unique (source, key)
     )`,
    `create index decision_until on watchdog.decision (until)`,
    `create index decision_overlap on watchdog.decision using gist (address inet_ops)`,
    // key: id of our event or of CrowdSec's alert.
    `create table watchdog.security_alert (
       id int generated always as identity primary key,
       source text not null check (source in ('own', 'crowdsec')),
       key text not null,
       kind text not null check (kind in ('ban', 'lift', 'exemption', 'exemption_end', 'offence')),
       rule text not null,
       address cidr not null,
       at timestamptz not null,
       until timestamptz,
       events int,
       reason text,
       country text,
       network text,
       unique (source, key)
     )`,
    `create index security_alert_at on watchdog.security_alert (at)`,
    `create table watchdog.exemption (
       id int generated always as identity primary key,
       address cidr not null unique,
       since timestamptz not null,
       until timestamptz not null,
       reason text,
       created_by text not null
     )`,
    // as_of: last complete reading of CrowdSec's decisions. alerts_at: of its alerts.
    `create table watchdog.crowdsec (
       one boolean primary key default true check (one),
       as_of timestamptz,
       alerts_at timestamptz,
       problem text,
       problem_since timestamptz,
       truncated boolean not null default false
     )`,
    `insert into watchdog.crowdsec default values`
  ]
}
