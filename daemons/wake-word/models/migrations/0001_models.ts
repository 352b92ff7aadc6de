import type { Migration } from "#core/sql/Migrations.ts"

/** Models of the tenants. They are stored here, because all processes and hosts use them, and backups contain them. */
export const models: Migration = {
  id: 1,
  name: "models",
  statements: [
    // file: the ONNX network. metrics, curve: see Metrics.ts. extractor: id of the extractor that it was made with.
    `create table wake_word.model (
       id int generated always as identity primary key,
       tenant_id int not null,
       name text not null,
       word text not null,
       language text not null,
       threshold double precision not null check (threshold > 0 and threshold <= 1),
       active boolean not null default false,
       extractor text not null,
       sha256 text not null,
       size int not null,
       file bytea not null,
       seed int,
       job_id uuid,
       metrics jsonb not null,
       curve jsonb not null default '[]',
       created_at timestamptz not null default now(),
       activated_at timestamptz,
       unique (tenant_id, name)
     )`,
    "alter table wake_word.model alter column file set storage external",
    "create unique index model_active on wake_word.model (tenant_id) where active",
    "create unique index model_job on wake_word.model (job_id) where job_id is not null",
    "select core.protect('wake_word.model')"
  ]
}
