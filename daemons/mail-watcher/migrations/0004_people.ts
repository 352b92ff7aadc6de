import type { Migration } from "#core/Migrations.ts"

/** How mail is signed, and whom it goes to. */
export const people: Migration = {
  id: 4,
  name: "signatures and people",
  statements: [
    `create table mail_watcher.signature (
       id int generated always as identity primary key,
       tenant_id int not null,
       account_id int not null references mail_watcher.account (id) on delete cascade,
       name text not null,
       -- Cleaned (core/html).
       html text not null,
       is_default boolean not null default false,
       created_at timestamptz not null default now(),
       updated_at timestamptz not null default now()
     )`,
    `create index signature_account on mail_watcher.signature (account_id, id)`,
    `create unique index signature_default on mail_watcher.signature (account_id) where is_default`,
    `select core.protect('mail_watcher.signature')`,
    // Only an address has an at-sign, so values of two types are never the same text.
    `create table mail_watcher.signature_rule (
       tenant_id int not null,
       account_id int not null,
       signature_id int not null references mail_watcher.signature (id) on delete cascade,
       match_type text not null check (match_type in ('address', 'domain')),
       -- Normalised (SignatureRules).
       match_value text not null check ((match_type = 'address') = (match_value like '%@%')),
       position int not null,
       primary key (account_id, match_value)
     )`,
    `create index signature_rule_signature on mail_watcher.signature_rule (signature_id)`,
    `select core.protect('mail_watcher.signature_rule')`,
    `create table mail_watcher.recent_recipient (
       tenant_id int not null,
       account_id int not null references mail_watcher.account (id) on delete cascade,
       -- Normalised.
       address text not null,
       name text not null default '',
       -- Name and address as they are searched (Folding).
       folded text not null,
       uses int not null default 1,
       last_used_at timestamptz not null default now(),
       primary key (account_id, address)
     )`,
    `create index recent_recipient_age on mail_watcher.recent_recipient (account_id, last_used_at desc)`,
    `select core.protect('mail_watcher.recent_recipient')`
  ]
}
