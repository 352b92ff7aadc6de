import type { Migration } from "#core/sql/Migrations.ts"

/** Rebuilds of automatic translations, and their texts. */
export const rebuilds: Migration = {
  id: 11,
  name: "rebuilds",
  statements: [
    `create table localization.rebuild (
       id uuid primary key default gen_random_uuid(),
       seq int generated always as identity unique,
       locale text,
       state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
       total int not null default 0,
       translated int not null default 0,
       kept int not null default 0,
       uncertain int not null default 0,
       problem text,
       requested_by text not null,
       created_at timestamptz not null default now(),
       finished_at timestamptz
     )`,
    // One at a time: the engine has one queue anyway.
    "create unique index rebuild_active on localization.rebuild ((true)) where state in ('waiting', 'running')",
    // One row for each different English text and language. asked: the request was about to be sent. kept: the
    // translation is not usable, so the English text stays. uncertain: the process ended before the answer came; the
    // text is not asked for again in this rebuild.
    `create table localization.rebuild_text (
       rebuild_id uuid not null references localization.rebuild (id) on delete cascade,
       locale text not null,
       source_hash text not null,
       source text not null,
       state text not null default 'pending' check (state in ('pending', 'asked', 'translated', 'kept', 'uncertain')),
       reason text,
       primary key (rebuild_id, locale, source_hash)
     )`,
    `create index rebuild_text_pending on localization.rebuild_text (rebuild_id, locale, source_hash)
       where state = 'pending'`
  ]
}
