import type { Migration } from "#core/sql/Migrations.ts"

const statuses = `('pending', 'ok', 'warning', 'critical', 'unknown')`

/** Checks of the monitoring with their results. They belong to the provider: no tenant reads or writes them. */
export const checks: Migration = {
  id: 11,
  name: "checks of the monitoring",
  statements: [
    // host: machine of the check; null: it runs once in the installation. found_*: what the check brings itself. The
    // columns from enabled to successes are an operator's; null: the default. gone_at: when it was no
    // longer found. changed_at: last change of an operator.
    `create table watchdog.monitoring_check (
       id int generated always as identity primary key,
       key text not null unique,
       kind text not null,
       origin text not null check (origin in ('built_in', 'operator')),
       host text,
       found_group text not null,
       unit text,
       direction text not null default 'above' check (direction in ('above', 'below')),
       found_warning float8,
       found_critical float8,
       found_failures int,
       found_successes int,
       definition jsonb,
       enabled boolean not null default true,
       interval_s int,
       timeout_s int,
       warning float8,
       critical float8,
       failures int,
       successes int,
       status text not null default 'pending' check (status in ${statuses}),
       since timestamptz,
       checked_at timestamptz,
       duration_ms int,
       value float8,
       detail text not null default '',
       measurements jsonb not null default '{}',
       seen text check (seen in ${statuses}),
       streak int not null default 0,
       alerting boolean not null default false,
       run_requested_at timestamptz,
       gone_at timestamptz,
       changed_at timestamptz not null default clock_timestamp(),
       created_at timestamptz not null default now()
     )`,
    `create index monitoring_check_run on watchdog.monitoring_check (id) where run_requested_at is not null`,
    // One row for each check of the last days.
    `create table watchdog.monitoring_sample (
       check_id int not null references watchdog.monitoring_check (id) on delete cascade,
       at timestamptz not null,
       status text not null,
       value float8,
       primary key (check_id, at)
     )`,
    `create index monitoring_sample_at on watchdog.monitoring_sample using brin (at)`,
    // The same by hour, for longer. severity: 0 ok, 1 unknown, 2 warning, 3 critical; the worst of the hour.
    `create table watchdog.monitoring_hour (
       check_id int not null references watchdog.monitoring_check (id) on delete cascade,
       hour timestamptz not null,
       severity int not null,
       checks int not null,
       measured int not null,
       total float8 not null,
       least float8,
       most float8,
       primary key (check_id, hour)
     )`,
    // The process that runs the checks of a machine (host:NAME), or those of the whole installation (fleet).
    `create table watchdog.monitoring_lease (
       scope text primary key,
       holder uuid not null,
       until timestamptz not null
     )`
  ]
}
