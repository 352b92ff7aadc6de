/** Migration of the languages and texts that all processes read (StoredTexts.ts). */
import type { Migration } from "../sql/Migrations.ts"

/** They belong to the installation, so they have no tenant. The daemon localization writes them. */
export const sharedTexts: Migration = {
  id: 23,
  name: "languages and texts of people",
  statements: [
    `create table core.text_language (
       code text primary key,
       label text not null,
       removed boolean not null default false
     )`,
    "select core.track('core.text_language')",
    // Null: the shipped text holds again. The row stays, so that copies in memory learn of it.
    `create table core.written_text (
       locale text not null,
       key text not null,
       value text,
       primary key (locale, key)
     )`,
    "select core.track('core.written_text')"
  ]
}
