import type { Migration } from "#core/sql/Migrations.ts"

/**
 * Languages and texts. They belong to the installation, not to a tenant: only the provider administers them, and
 * everybody reads them.
 */
export const texts: Migration = {
  id: 1,
  name: "texts",
  statements: [
    `create table localization.language (
       code text primary key,
       label text not null,
       created_at timestamptz not null default now(),
       removed_at timestamptz
     )`,
    "select core.track('localization.language')",
    "insert into localization.language (code, label) values ('en', 'English'), ('de', 'Deutsch')",
    // shipped: English text from the program. override: English text that a person wrote. A key without either counts
    // as removed; its row stays for a while, so that copies in memory learn of the removal.
    `create table localization.source_text (
       key text primary key,
       shipped text,
       override text,
       value text generated always as (coalesce(override, shipped)) stored,
       source_hash text generated always as (md5(coalesce(override, shipped))) stored,
       created_at timestamptz not null default now(),
       updated_at timestamptz not null default now()
     )`,
    "select core.track('localization.source_text')",
    "create index source_text_hash on localization.source_text (source_hash)",
    // Each text has the hash of the English text that it translates. What a person wrote is in a column of its own, so
    // no automatic translation can overwrite it.
    `create table localization.translation (
       locale text not null,
       key text not null,
       shipped text,
       shipped_hash text,
       override text,
       override_hash text,
       automatic text,
       automatic_hash text,
       value text generated always as (coalesce(override, shipped, automatic)) stored,
       source_hash text generated always as (case when override is not null then override_hash
         when shipped is not null then shipped_hash else automatic_hash end) stored,
       auto_translated boolean generated always as
         (override is null and shipped is null and automatic is not null) stored,
       updated_at timestamptz not null default now(),
       primary key (locale, key)
     )`,
    "select core.track('localization.translation')",
    "create index translation_key on localization.translation (key)",
    `create table localization.text_change (
       id bigint generated always as identity primary key,
       locale text not null,
       key text not null,
       kind text not null check (kind in ('override', 'reverted', 'shipped', 'automatic', 'forgotten', 'imported')),
       before text,
       after text,
       actor text not null,
       at timestamptz not null default now()
     )`,
    "create index text_change_text on localization.text_change (locale, key, id desc)",
    "create index text_change_age on localization.text_change using brin (at)"
  ]
}
