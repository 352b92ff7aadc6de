import type { Migration } from "#core/sql/Migrations.ts"

/** Progress of a weekly repetition of all users; 0008 removes it. */
export const telling: Migration = {
  id: 7,
  name: "telling of everybody",
  statements: [
    `create table identity.telling (
       one boolean primary key default true check (one),
       -- Times that everybody was told of, the one under way included.
       generation int not null default 0,
       begun_at timestamptz not null default '-infinity',
       -- Null while it is under way.
       finished_at timestamptz default '-infinity',
       -- The highest numbers of those told in this generation.
       last_tenant int not null default 0,
       last_account int not null default 0
     )`,
    `insert into identity.telling default values`
  ]
}
