import type { Migration } from "#core/sql/Migrations.ts"

/** Schedules of backups, and the jobs that carry them out. They concern the machine: no tenant reads or writes them. */
export const backups: Migration = {
  id: 31,
  name: "backup schedules and jobs",
  statements: [
    // last_firing: latest time of the schedule for which a job was added.
    `create table watchdog.backup_schedule (
       id int generated always as identity primary key,
       name text not null unique,
       cron text not null,
       type text not null check (type in ('full', 'databases', 'files', 'configuration')),
       enabled boolean not null default true,
       last_firing timestamptz,
       created_at timestamptz not null default now(),
       updated_at timestamptz not null default now()
     )`,
    // Source: interface document 3 §2.4: daily at 03:00.
    `insert into watchdog.backup_schedule (name, cron, type) values ('nightly', '0 3 * * *', 'full')`,
    // schedule: its name, which outlives it. runner: the life of a process that runs the job. done, total: bytes.
    // report: findings of a drill. attempts: times the job was begun; a process that dies leaves it for the next.
    `create table watchdog.backup_job (
       id uuid primary key default gen_random_uuid(),
       seq int generated always as identity unique,
       work text not null check (work in ('backup', 'drill', 'restore')),
       state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'lost')),
       type text not null check (type in ('full', 'databases', 'files', 'configuration')),
       schedule_id int references watchdog.backup_schedule (id) on delete set null,
       schedule text,
       firing timestamptz,
       requested_by text not null,
       runner uuid,
       attempts int not null default 0,
       step text,
       done bigint,
       total bigint,
       snapshot text,
       size bigint,
       added bigint,
       files int,
       left_out jsonb not null default '[]',
       report jsonb,
       problem text,
       created_at timestamptz not null default now(),
       started_at timestamptz,
       finished_at timestamptz
     )`,
    `create unique index backup_job_firing on watchdog.backup_job (work, coalesce(schedule, ''), firing)
       where firing is not null`,
    `create index backup_job_open on watchdog.backup_job (seq) where state in ('waiting', 'running')`,
    `create index backup_job_schedule on watchdog.backup_job (schedule_id, finished_at desc)`,
    `create index backup_job_snapshot on watchdog.backup_job (snapshot) where snapshot is not null`
  ]
}
