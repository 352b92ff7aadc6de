import type { Migration } from "#core/sql/Migrations.ts"

/** Recordings of people: personal data. Whatever is derived from a recording refers to it and is deleted with it. */
export const samples: Migration = {
  id: 11,
  name: "recordings",
  statements: [
    // audio: Int16 little-endian, 16 kHz, one channel, without a header. original_rate: of the uploaded file.
    `create table wake_word.sample (
       id int generated always as identity primary key,
       tenant_id int not null,
       word text not null,
       name text not null,
       speaker text,
       duration_ms int not null,
       original_rate int not null,
       sha256 text not null,
       audio bytea not null,
       created_by text not null,
       created_at timestamptz not null default now(),
       unique (tenant_id, word, sha256)
     )`,
    "create index sample_word on wake_word.sample (tenant_id, word, id)",
    "select core.protect('wake_word.sample')"
  ]
}
