import type { Migration } from "#core/sql/Migrations.ts"

/** Restarts of services, and the state of the watchdog's own restarts. They concern machines: no tenant reads them. */
export const services: Migration = {
  id: 21,
  name: "restarts of services and critical services",
  statements: [
    // host: machine of the service. worker: process id of the watchdog that carries the restart out.
    `create table watchdog.service_restart (
       id int generated always as identity primary key,
       host text not null,
       kind text not null check (kind in ('container', 'unit', 'daemon')),
       name text not null,
       state text not null default 'requested' check (state in ('requested', 'running', 'succeeded', 'failed')),
       requested_by text not null,
       reason text,
       requested_at timestamptz not null default now(),
       finished_at timestamptz,
       worker int,
       problem text
     )`,
    // One open restart a service.
    `create unique index service_restart_open on watchdog.service_restart (host, kind, name)
       where state in ('requested', 'running')`,
    `create index service_restart_service on watchdog.service_restart (host, kind, name, id desc)`,
    // failing_since: first look that found the service ill. restarts: by the watchdog itself, within the window.
    // gave_up_at: the budget is used up. engine_restarts: restarts that the engine or systemd had counted.
    `create table watchdog.critical_service (
       host text not null,
       name text not null,
       failing_since timestamptz,
       restarts timestamptz[] not null default '{}',
       gave_up_at timestamptz,
       engine_restarts int,
       primary key (host, name)
     )`,
    // The one process of a host that restarts critical services.
    `create table watchdog.service_keeper (
       host text primary key,
       worker uuid not null,
       until timestamptz not null
     )`
  ]
}
