import type { Migration } from "#core/sql/Migrations.ts"

/** Components that an operator made in the console, beside those of SERVICES_FILE. */
export const components: Migration = {
  id: 5,
  name: "components of the database",
  additive: true,
  statements: [
    // name and group_name: German. checks: as in SERVICES_FILE, validated before they are stored.
    `create table status_checker.component (
       id text primary key,
       name text not null,
       name_en text not null,
       group_name text,
       group_en text,
       checks jsonb not null,
       created_at timestamptz not null default now(),
       updated_at timestamptz not null default now()
     )`
  ]
}
