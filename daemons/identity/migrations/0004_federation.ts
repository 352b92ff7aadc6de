import type { Migration } from "#core/Migrations.ts"

/** Sign-in through outside providers. */
export const federation: Migration = {
  id: 4,
  name: "outside providers",
  statements: [
    `create table identity.federated_account (
       provider text not null,
       subject text not null,
       tenant_id int not null,
       account_id int not null references identity.account (id) on delete cascade,
       email text,
       linked_at timestamptz not null default now(),
       last_used_at timestamptz,
       primary key (provider, subject)
     )`,
    `create index federated_account_account on identity.federated_account (account_id)`,
    `select core.protect('identity.federated_account')`,
    // A way out that has not come back yet: what must match when it does. No tenant is known before.
    `create table identity.oidc_flow (
       state_hash bytea primary key,
       provider text not null,
       verifier text not null,
       nonce text not null,
       browser_hash bytea not null,
       account_id int references identity.account (id) on delete cascade,
       return_to text not null,
       created_at timestamptz not null default now(),
       expires_at timestamptz not null
     )`
  ]
}
