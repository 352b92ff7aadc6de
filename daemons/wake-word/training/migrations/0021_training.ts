import type { Migration } from "#core/sql/Migrations.ts"

/** Trainings, and what they derive from recordings. */
export const training: Migration = {
  id: 21,
  name: "trainings",
  statements: [
    // progress: of the seven phases, 0 to 1. phase_attempts: times that the phase was begun. runner: the life of the
    // process that runs it. report: findings of phases.
    `create table wake_word.training (
       id uuid primary key default gen_random_uuid(),
       seq int generated always as identity unique,
       tenant_id int not null,
       word text not null,
       language text not null,
       name text not null,
       seed int not null,
       size text not null check (size in ('small', 'full')),
       use_uploads boolean not null,
       state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
       phase text check (phase in
         ('samples_tts', 'samples_upload', 'augment', 'features', 'train', 'validate', 'save')),
       progress double precision[] not null default '{0,0,0,0,0,0,0}',
       attempts int not null default 0,
       phase_attempts int not null default 0,
       runner uuid,
       problem text,
       report jsonb not null default '{}',
       requested_by text not null,
       created_at timestamptz not null default now(),
       started_at timestamptz,
       finished_at timestamptz
     )`,
    "create index training_list on wake_word.training (tenant_id, seq)",
    "create index training_open on wake_word.training (seq) where state in ('waiting', 'running')",
    `create unique index training_name on wake_word.training (tenant_id, name) where state in ('waiting', 'running')`,
    "select core.protect('wake_word.training')",
    // Recordings that a training uses. features: float32 little-endian, windows of 16 embeddings of 96, after
    // augmentation. Deleted with the recording, and at the end of the training.
    `create table wake_word.training_sample (
       job_id uuid not null references wake_word.training (id) on delete cascade,
       sample_id int not null references wake_word.sample (id) on delete cascade,
       tenant_id int not null,
       held_out boolean not null,
       features bytea,
       primary key (job_id, sample_id)
     )`,
    "create index training_sample_sample on wake_word.training_sample (sample_id)",
    "select core.protect('wake_word.training_sample')"
  ]
}
